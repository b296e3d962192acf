"""A run with --check refuses a collective call that is not the one of the other ranks."""

import pytest

PROGRAM = """
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char** argv) {
  int rank, mine = 1, sum = 0, all[8], color;
  MPI_Comm copy, part;
  MPI_Request request;
  if (argc > 2) MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &color);
  else MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_split(copy, rank % 2, 0, &part);
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, part);
  MPI_Barrier(copy);
  if (rank == 2) {
    if (strcmp(argv[1], "duplicate") == 0) MPI_Comm_dup(copy, &copy);
    if (strcmp(argv[1], "begin") == 0) {
      MPI_Iallgather(&mine, 1, MPI_INT, all, 1, MPI_INT, copy, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  }
  MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, copy); /* line 23 */
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize("machine", ["ideal", "ap1000", "t3e-900", "earth-simulator"])
@pytest.mark.parametrize(("what", "call"), [("duplicate", "MPI_Comm_dup"), ("begin", "MPI_Iallgather")])
def test_a_check_names_both_calls(run_program, machine, what, call):
    done = run_program(PROGRAM, 4, what, machine=machine, launcher=["--check"])
    assert done.returncode != 0
    [line] = [line for line in done.stderr.splitlines() if "collective calls" in line]
    assert "a communicator of 4 ranks has called" in line
    assert call in line
    assert "MPI_Allgather" in line
    assert ".c:23)" in line


@pytest.mark.parametrize("machine", ["ideal", "ap1000", "t3e-900", "earth-simulator"])
def test_what_all_ranks_call_is_not_refused(run_program, machine):
    done = run_program(PROGRAM, 4, "nothing", machine=machine, launcher=["--check"])
    assert (done.returncode, done.stderr) == (0, "")


def test_ranks_may_begin_by_different_calls(hindcast, compile_program):
    program = compile_program(PROGRAM)
    run = ["run", "--check", "-n", 2, program, "nothing", ":", "-n", 2, program, "nothing", "with threads"]
    assert hindcast(*run).returncode == 0
