"""What messages take by case and method, from the machine's numbers; their steps; kinds of memory."""

import json

import pytest

from tests.support.machine_files import machine_numbers

INSIDE, BETWEEN = 1, 8  # partners of rank 0
SHORT, BUFFERED = 1024, 131072


@pytest.fixture(scope="module")
def pingpong(root, run_program):
    """pingpong(bytes, partner, kind): a message's microseconds, the same in lockstep."""
    source = root / "experiments" / "earth_simulator" / "programs" / "pingpong_mpi.c"

    def measure(*arguments, settings=(), options=()):
        words = [word for setting in settings for word in ("--set", setting)]
        done = [
            run_program(source, 9, *arguments, machine="earth-simulator", launcher=[*words, *options, *more])
            for more in ([], ["--lockstep"])
        ]
        assert [run.returncode for run in done] == [0, 0], done[0].stderr
        assert done[0].stdout == done[1].stdout
        return float(done[0].stdout.splitlines()[-1].split(",")[1])

    return measure


def reckoned(size, partner, kind, numbers):
    """Without what arrivals wait for the next polls; and how many arrivals there are."""
    call, copy, ina = numbers["mpi.call"], numbers["node.pn.copy_bandwidth"], numbers["rcu.bandwidth"]
    header = numbers["mpi.header_bytes"]
    if partner == INSIDE:
        way, header_byte, moved_byte = numbers["mpi.memory_latency"], copy, copy
    else:
        way = numbers["network.in.injection_latency"] + numbers["network.in.switch_latency"]
        header_byte = moved_byte = ina
    message = way + header * header_byte + call
    if size <= SHORT:
        return 2 * call + message + 2 * size * copy + (size * ina if partner == BETWEEN else 0), 1
    all_three = 2 * call + 3 * message + size * moved_byte
    if kind == "GMEM" and size > BUFFERED:
        return all_three + numbers["mpi.set_up"] * (1 if partner == INSIDE else 2), 3
    return all_three + size * copy * (1 if partner == INSIDE else 2), 3


@pytest.mark.parametrize("size", [0, 8, 1024, 1025, 131072, 131073, 1048576])
@pytest.mark.parametrize("kind", ["GMEM", "LMEM"])
@pytest.mark.parametrize("partner", [INSIDE, BETWEEN])
def test_a_message_takes_what_is_reckoned_by_hand(pingpong, size, kind, partner):
    numbers = machine_numbers("earth-simulator")
    time, arrivals = reckoned(size, partner, kind, numbers)
    took = pingpong(size, partner, kind)
    assert time - 1e-3 <= took <= time + 2 * arrivals * numbers["node.pn.poll"]


def test_what_compilers_lay_out_is_of_the_kind_that_the_machine_says(run_program, tmp_path):
    source = tmp_path / "static.c"
    source.write_text("""
#include <mpi.h>
#include <stdio.h>
static char data[1 << 20];
int main(void) {
  int rank;
  MPI_Init(0, 0);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const double start = MPI_Wtime();
  if (rank == 0) MPI_Ssend(data, sizeof data, MPI_BYTE, 8, 0, MPI_COMM_WORLD);
  if (rank == 8) MPI_Recv(data, sizeof data, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 8) printf("%.9f\\n", (MPI_Wtime() - start) * 1e6);
  MPI_Finalize();
  return 0;
}
""")

    def took(kind):
        done = run_program(
            source, 9, machine="earth-simulator", launcher=["--set", f"mpi.default_memory={kind}"], flags=["-std=c99"]
        )
        assert done.returncode == 0, done.stderr
        return float(done.stdout)

    numbers = machine_numbers("earth-simulator")
    copies = 2 * (1 << 20) * numbers["node.pn.copy_bandwidth"]
    assert took("LMEM") - took("GMEM") == pytest.approx(
        copies - 2 * numbers["mpi.set_up"], abs=1.5
    )  # a poll sooner or later


@pytest.mark.parametrize(("size", "set_ups", "copies"), [(1024, 0, 2), (131072, 0, 2), (131073, 2, 0)])
def test_the_method_changes_where_it_should(run_program, root, tmp_path, size, set_ups, copies):
    source = root / "experiments" / "earth_simulator" / "programs" / "pingpong_mpi.c"
    counts = tmp_path / "steps.json"
    done = run_program(source, 9, size, BETWEEN, "GMEM", machine="earth-simulator", launcher=["--count", str(counts)])
    assert done.returncode == 0, done.stderr
    steps = json.loads(counts.read_text())
    messages = 2 * 21
    assert count_of(steps, "address of a user's buffer made global") == set_ups * messages
    assert count_of(steps, "copy into the library's global memory") == copies // 2 * messages


def count_of(steps, name):
    return sum(step["count"] for step in steps if step["name"] == name)


def test_a_kind_of_memory_that_there_is_not_is_refused(run_program, tmp_path):
    source = tmp_path / "wrong.c"
    source.write_text("""
#include <mpi.h>
int main(void) {
  MPI_Info info;
  void* memory;
  MPI_Init(0, 0);
  MPI_Info_create(&info);
  MPI_Info_set(info, "memory", "XMEM");
  MPI_Alloc_mem(8, info, &memory);
  MPI_Finalize();
  return 0;
}
""")
    done = run_program(source, 1, machine="earth-simulator")
    assert done.returncode != 0
    assert "'memory' is 'XMEM'; this machine has memory of the kinds GMEM, LMEM" in done.stderr
