"""A run with --check refuses a collective call that is not the one of the other ranks."""

from pathlib import Path

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


TERMS = """
#include <mpi.h>
#include <string.h>
static void own(void* in, void* inout, int* length, MPI_Datatype* type) {
  (void)in, (void)inout, (void)length, (void)type;
}
int main(int argc, char** argv) {
  int rank, mine[64] = {0}, all[256];
  MPI_Request request;
  MPI_Op op;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int is_other = rank == 2;
  const char* what = argv[1];
  MPI_Bcast(mine, is_other && !strcmp(what, "amount") ? 3 : 4, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Ibcast(mine, 4, MPI_INT, is_other && !strcmp(what, "root") ? 1 : 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Allreduce(mine, all, 4, MPI_INT, is_other && !strcmp(what, "operation") ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);
  MPI_Bcast(mine, 4, is_other && !strcmp(what, "datatype") ? MPI_FLOAT : MPI_INT, 0, MPI_COMM_WORLD);
  /* What ranks may say each in their own way. */
  MPI_Op_create(own, 1, &op);
  MPI_Allreduce(mine, all, 4, MPI_INT, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  const int counts[4] = {1, 2, 3, 4}, places[4] = {0, 1, 3, 6};
  MPI_Gatherv(mine, rank + 1, MPI_INT, all, counts, places, MPI_INT, 3, MPI_COMM_WORLD);
  MPI_Scatterv(all, counts, places, MPI_INT, mine, rank + 1, MPI_INT, 3, MPI_COMM_WORLD);
  MPI_Allgatherv(mine, rank + 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
  MPI_Reduce_scatter(all, mine, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Gather(mine, is_other ? 8 : 2, is_other ? MPI_BYTE : MPI_INT, all, 2, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Scatter(rank == 1 ? all : NULL, 2, MPI_INT, rank == 1 ? MPI_IN_PLACE : mine, 2, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("amount", ("MPI_Bcast for 16 bytes", "it for 12 bytes; all its ranks must give the same amount of data")),
        ("root", ("MPI_Ibcast with root 0", "it with root 1; all its ranks must name the same root")),
        ("operation", ("MPI_Allreduce with MPI_SUM", "it with MPI_MAX; all its ranks must name the same operation")),
        (
            "datatype",
            (
                "MPI_Bcast with an integer of 4 bytes at byte 0",
                "it with a floating-point number of 4 bytes at byte 0; all its ranks must give data of the same",
            ),
        ),
    ],
)
def test_a_check_names_what_ranks_say_differently(run_program, what, told):
    done = run_program(TERMS, 4, what, launcher=["--check"])
    assert done.returncode != 0
    assert any(all(part in line for part in told) for line in done.stderr.splitlines())


@pytest.mark.parametrize("machine", ["ideal", "ap1000", "t3e-900", "i-way"])
def test_what_ranks_may_say_each_in_its_own_way_is_not_refused(run_program, machine):
    done = run_program(TERMS, 4, "nothing", machine=machine, launcher=["--check"])
    assert (done.returncode, done.stderr) == (0, "")


ACROSS = """
#include <mpi.h>
#include <string.h>
int main(int argc, char** argv) {
  int rank, mine = 1, all[8];
  MPI_Comm half, across;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int side = rank % 2, is_other = rank == 2;
  MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 7, &across);
  MPI_Bcast(&mine, 1, MPI_INT, side == 1 ? 1 : is_other ? MPI_ROOT : MPI_PROC_NULL, across);
  MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, across);
  if (is_other && !strcmp(argv[1], "across")) MPI_Barrier(across);
  MPI_Allreduce(&mine, all, 1, MPI_INT, MPI_SUM, across);
  MPI_Finalize();
  return 0;
}
"""


def test_a_check_looks_at_the_ranks_of_each_of_two_groups(run_program):
    assert run_program(ACROSS, 6, "nothing", launcher=["--check"]).stderr == ""
    done = run_program(ACROSS, 6, "across", launcher=["--check"])
    assert done.returncode != 0
    assert "an intercommunicator" in done.stderr
    assert "MPI_Barrier" in done.stderr
    assert "MPI_Allreduce" in done.stderr


AGREED = """
#include <mpi.h>
#include <string.h>
int main(int argc, char** argv) {
  int rank, data[8] = {0}, all[8];
  MPI_Comm half, across;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  /* Ranks 0, 2 and 4 are one group, 1, 3 and 5 the other. */
  const int side = rank % 2, root = side == 1 ? 1 : rank == 2 ? MPI_ROOT : MPI_PROC_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 7, &across);
  CALL;
  MPI_Reduce(data, all, 1, MPI_INT, rank == 0 ? MPI_MAX : MPI_SUM, root, across);
  MPI_Ibcast(data, 1, MPI_INT, root, across, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Bcast(data, 1, MPI_INT, side == 0 ? 2 : rank == 5 ? MPI_ROOT : MPI_PROC_NULL, across);
  MPI_Reduce_scatter_block(data, all, 3, MPI_INT, side == 0 ? MPI_MIN : MPI_PROD, across);
  MPI_Allreduce(data, all, 3, MPI_INT, MPI_MAX, across);
  MPI_Bcast_init(data, 1, MPI_INT, root, across, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
"""

OF_ROOTS = (
    "of one group the root must give MPI_ROOT and the others MPI_PROC_NULL, and all of the other group the root's rank"
)
DISAGREED = {
    "another rank is the root than is named": (
        "MPI_Bcast(data, 1, MPI_INT, side == 1 ? 0 : root, across)",
        {"MPI_Bcast with root 0", "MPI_Bcast with MPI_ROOT", "MPI_Bcast with MPI_PROC_NULL"},
        OF_ROOTS,
    ),
    "others of a group name another root": (
        "MPI_Scatter(data, 1, MPI_INT, all, 1, MPI_INT, rank == 5 ? 2 : root, across)",
        {"MPI_Scatter with root 1", "MPI_Scatter with root 2", "MPI_Scatter with MPI_PROC_NULL"},
        OF_ROOTS,
    ),
    "two roots": (
        "MPI_Ibcast(data, 1, MPI_INT, rank == 4 ? MPI_ROOT : root, across, &request)",
        {"MPI_Ibcast with MPI_ROOT", "MPI_Ibcast with root 1"},
        OF_ROOTS,
    ),
    "both groups name one": (
        "MPI_Gather(data, 1, MPI_INT, all, 1, MPI_INT, side, across)",
        {"MPI_Gather with root 0", "MPI_Gather with root 1"},
        OF_ROOTS,
    ),
    "a root that nobody names": (
        "MPI_Reduce(data, all, 1, MPI_INT, MPI_SUM, rank == 2 ? MPI_ROOT : MPI_PROC_NULL, across)",
        {"MPI_Reduce with MPI_ROOT", "MPI_Reduce with MPI_PROC_NULL"},
        OF_ROOTS,
    ),
    "of a persistent one": (
        "MPI_Bcast_init(data, 1, MPI_INT, side == 1 ? 2 : root, across, MPI_INFO_NULL, &request)",
        {"MPI_Bcast_init with MPI_ROOT", "MPI_Bcast_init with root 2", "MPI_Bcast_init with MPI_PROC_NULL"},
        OF_ROOTS,
    ),
    "operations within a group": (
        "MPI_Allreduce(data, all, 1, MPI_INT, rank == 3 ? MPI_MAX : MPI_SUM, across)",
        {"MPI_Allreduce with MPI_MAX", "MPI_Allreduce with MPI_SUM"},
        "all ranks of a group must name the same operation",
    ),
    "operations for one root": (
        "MPI_Reduce(data, all, 1, MPI_INT, rank == 2 ? MPI_MAX : MPI_SUM, root, across)",
        {"MPI_Reduce with MPI_MAX", "MPI_Reduce with MPI_SUM"},
        "all ranks must name the same operation",
    ),
    "calls of the groups": (
        "side == 1 ? MPI_Barrier(across) : MPI_Allreduce(data, all, 0, MPI_INT, MPI_SUM, across)",
        {"MPI_Barrier", "MPI_Allreduce"},
        "both groups must make the same collective calls in the same order",
    ),
}


@pytest.mark.parametrize("machine", ["ideal", "t3e-900"])
@pytest.mark.parametrize("how", DISAGREED)
def test_a_check_compares_what_two_groups_say(run_program, machine, how):
    call, told, rule = DISAGREED[how]
    done = run_program(AGREED.replace("CALL", call), 6, machine=machine, flags=["-w"], launcher=["--check"])
    assert done.returncode != 0
    [line] = [line for line in done.stderr.splitlines() if rule in line]
    assert any(f"has called {what} (in main" in line for what in told), line
    assert "an intercommunicator" in line
    assert "where this rank calls " in line


@pytest.mark.parametrize("machine", ["ideal", "ap1000", "t3e-900", "earth-simulator", "i-way"])
def test_what_two_groups_agree_in_is_not_refused(run_program, machine):
    done = run_program(AGREED.replace("CALL", "(void)argv"), 6, machine=machine, launcher=["--check"])
    assert (done.returncode, done.stderr) == (0, "")


PERSISTENT = """
#include <mpi.h>
int main(int argc, char** argv) {
  int rank, data = 0;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast_init(&data, 1, MPI_INT, argc > 1 && rank == 2 ? 1 : 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
"""


def test_a_check_looks_at_persistent_collectives_when_they_are_made(run_program):
    assert run_program(PERSISTENT, 4, launcher=["--check"]).stderr == ""
    done = run_program(PERSISTENT, 4, "root", launcher=["--check"])
    assert done.returncode != 0
    assert "MPI_Bcast_init with root 0" in done.stderr


def test_a_check_knows_the_calls_of_several_threads_apart(run_program):
    program = Path(__file__).parents[1] / "threads" / "calls_of_threads.c"
    done = run_program(program, 4, launcher=["--check"])
    assert (done.returncode, done.stderr) == (0, "")
