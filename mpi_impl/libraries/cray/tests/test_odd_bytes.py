"""What is no whole word at a word's place, in either memory, the processor puts together, at a rate of its own."""

import pytest

PROGRAM = r"""
#include <mpi.h>
#include <mpp/shmem.h>
#include <stdio.h>

static long long there[200], here[200];

static void tell(const char* call, int bytes, int place_there, int place_here) {
  char* const far = (char*)there + place_there;
  char* const near = (char*)here + place_here;
  const double start = MPI_Wtime();
  if (call[0] == 'p') shmem_putmem(far, near, bytes, 1);
  else shmem_getmem(near, far, bytes, 1);
  shmem_quiet();
  printf("%s,%d,%d,%d %.0f\n", call, bytes, place_there, place_here, (MPI_Wtime() - start) * 1e9);
}

int main(void) {
  start_pes(0);
  if (_my_pe() == 0)
    for (const char* const* call = (const char* const[]){"put", "get", 0}; *call; ++call) {
      tell(*call, 1024, 0, 0);
      tell(*call, 1024, 4, 8);
      tell(*call, 1027, 0, 0);
      tell(*call, 1024, 1, 1);
      tell(*call, 1024, 1, 0);
      tell(*call, 2, 1, 1);
    }
  shmem_barrier_all();
  return 0;
}
"""
ODD = {"1024,0,0": 0, "1024,4,8": 0, "1027,0,0": 3, "1024,1,1": 3 + 1, "1024,1,0": 1024, "2,1,1": 2}


def test_odd_lengths_and_places_are_slow(run_program):
    def times(rate):
        done = run_program(
            PROGRAM, 2, machine="t3e-900", launcher=("--set", f"shmem.odd_bandwidth={rate} MB/s"), flags=("-w",)
        )
        assert done.returncode == 0, done.stderr
        return {name: int(ns) for name, ns in (line.split() for line in done.stdout.splitlines())}

    at_50, at_25 = times(50), times(25)
    assert len(at_50) == 2 * len(ODD)
    more = {name: at_25[name] - at_50[name] for name in at_50}
    assert more == {
        f"{call},{case}": pytest.approx(20 * odd, abs=1) for call in ("put", "get") for case, odd in ODD.items()
    }
