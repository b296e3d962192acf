"""What nonblocking calls leave to be done takes the time that it would take if each call waited for it."""

from pathlib import Path

import pytest

SOURCE = Path(__file__).parent / "backlog.c"
MACHINES = {
    "new library": ("t3e-900",),
    "old library": ("t3e-900", "--set", "mpi.library=old"),
    "data put": ("t3e-900", "--set", "mpi.longer=RAT"),
    "buffers": ("t3e-900", "--set", "mpi.buffer_max=100000"),
    "full queues": ("t3e-900", "--set", "message_queue.slots=2", "--set", "mpi.buffer_max=3000"),
    "full slots": ("t3e-900", "--set", "mpi.library=old", "--set", "locked_queue.slots=200"),
    "t3d": ("t3d",),
}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("ranks", [2, 5, 16])
def test_all_is_seen_as_in_lockstep(hindcast, compile_program, machine, ranks):
    program = compile_program(SOURCE)
    for seed in range(4):
        ahead, lockstep = (
            hindcast("run", "-m", *MACHINES[machine], "-n", ranks, *mode, "--", program, seed)
            for mode in ([], ["--lockstep"])
        )
        assert (ahead.returncode, ahead.stderr) == (0, "")
        assert "wrong" not in ahead.stdout
        assert ahead.stdout == lockstep.stdout


CRASH = """
#include <mpi.h>
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, in[4];
  MPI_Request requests[8];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 4; ++i) MPI_Irecv(&in[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < 4; ++i) MPI_Isend(&rank, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &requests[4 + i]);
  if (rank == 1) {
    CRASHES
  }
  MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize("library", ["new", "old"])
@pytest.mark.parametrize(
    "crashes",
    ["*(volatile int *)0 = 1;", "MPI_Isend((void *)64, 9, MPI_INT, 0, 9, MPI_COMM_WORLD, &requests[0]);"],
    ids=["in the program", "in its send buffer"],
)
def test_a_crash_meanwhile_is_told_where_and_when_it_was(run_program, crashes, library):
    text = CRASH.replace("CRASHES", crashes)
    ahead, lockstep = (
        run_program(text, 2, machine="t3e-900", launcher=["--set", f"mpi.library={library}", *mode])
        for mode in ([], ["--lockstep"])
    )
    assert ahead.returncode == 139
    assert ahead.stderr.startswith("hindcast: rank 1 on t3e-900-1: Segmentation fault at ")
    assert "in main (program-" in ahead.stderr
    assert ahead.stderr == lockstep.stderr
