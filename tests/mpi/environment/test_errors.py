"""Mistakes that end a run: one line that names the rank, the call, the argument and what would be right, and a status
other than 0."""

from pathlib import Path

import pytest

FATAL = Path(__file__).parent / "fatal.c"
FOREIGN_THREAD = Path(__file__).parent / "foreign_thread.c"

WRONG_ARGUMENTS = {
    "rank": "rank 1: MPI_Send: argument 4 (dest) is 7, but MPI_COMM_WORLD has ranks 0 to 2; give one of them, or "
    "MPI_PROC_NULL",
    "source": "rank 1: MPI_Recv: argument 4 (source) is 7, but MPI_COMM_WORLD has ranks 0 to 2; give one of them, "
    "MPI_ANY_SOURCE or MPI_PROC_NULL",
    "root": "rank 1: MPI_Bcast: argument 4 (root) is 4, but MPI_COMM_WORLD has ranks 0 to 2; give one of them",
    "count": "rank 1: MPI_Send: argument 2 (count) is -3; it must not be negative",
    "buffer": "rank 1: MPI_Send: argument 1 (buf) is a null pointer, but the count is not 0",
    "tag": "rank 1: MPI_Send: argument 5 (tag) is -4; a tag is 0 to 2147483647",
    "datatype": "rank 1: MPI_Send: argument 3 (datatype) is MPI_DATATYPE_NULL",
    "comm": "rank 1: MPI_Send: argument 6 (comm) is MPI_COMM_NULL",
    "status": "rank 1: MPI_Recv: argument 7 (status) is a null pointer",
    "freed": "rank 1: MPI_Wait: argument 1 (request) is a request that has been freed",
    "op": "rank 1: MPI_Allreduce: argument 5 (op) MPI_BXOR is not defined for this datatype",
    "uncommitted": "rank 1: MPI_Send: argument 3 (datatype) is a datatype that has not been committed; call "
    "MPI_Type_commit first",
    "freed-type": "rank 1: MPI_Type_commit: argument 1 (datatype) is a datatype that has been freed",
    "predefined-type": "rank 1: MPI_Type_free: argument 1 (datatype) is predefined (MPI_INT), and cannot be freed",
    "subarray": "rank 1: MPI_Type_create_subarray: argument 4 (array_of_starts): start 0 is 4; give 0 to 2",
    "buffered": "rank 1: MPI_Bsend: no buffer is attached for buffered sends; attach one with MPI_Buffer_attach",
    "truncate": "rank 1: MPI_Wait: the message of 16 bytes from rank 1, tag 5, MPI_COMM_WORLD is longer than the "
    "receive buffer (buf, count, datatype) of 4 bytes",
    "twice": "rank 1: MPI_Init: MPI is initialized already; call it once",
    "before-init": "rank 0: MPI_Barrier: called before MPI_Init",
    "after-finalize": "rank 0: MPI_Barrier: called after MPI_Finalize",
    "no-finalize": "without calling MPI_Finalize",
}


@pytest.mark.parametrize("what", WRONG_ARGUMENTS)
def test_mistake_is_told_in_one_line(what, run_program):
    done = run_program(FATAL, 3, what)
    assert done.returncode != 0
    assert WRONG_ARGUMENTS[what] in done.stderr
    assert done.stderr.count("\n") == 1


def test_abort_gives_its_code(run_program):
    done = run_program(FATAL, 3, "abort")
    assert done.returncode == 42
    assert "rank 1: MPI_Abort called, with MPI_COMM_WORLD and error code 42" in done.stderr


def test_no_mistake_is_no_error(run_program):
    done = run_program(FATAL, 3, "nothing")
    assert (done.returncode, done.stderr) == (0, "")


def test_deadlock_names_call_peer_tag_and_communicator(run_program):
    done = run_program(FATAL, 3, "deadlock")
    assert done.returncode != 0
    assert "rank 0: waits in MPI_Recv from rank 1, tag 11, pairs" in done.stderr
    assert "rank 1: waits in MPI_Recv from rank 0, tag 11, pairs" in done.stderr
    assert "rank 2: waits in MPI_Barrier" in done.stderr
    assert "rank 0 waits for rank 1 waits for rank 0" in done.stderr


@pytest.mark.parametrize(("what", "call"), [("test-loop", "MPI_Test"), ("probe-loop", "MPI_Iprobe")])
def test_endless_polling_ends_with_the_time_given(what, call, run_program):
    done = run_program(FATAL, 3, what, launcher=["--max-time", "1ms"])
    assert done.returncode != 0
    assert f"polls in {call} " in done.stderr
    assert "time limit" in done.stderr
    assert "nothing else is pending" in done.stderr


def test_thread_that_is_not_simulated_is_refused(run_program):
    done = run_program(FOREIGN_THREAD, 2, flags=["-pthread"])
    assert done.returncode != 0
    assert "MPI_Comm_rank: called from a thread that is not a simulated one" in done.stderr


PLACED = """#include <mpi.h>
static void wrong(int to) {
  int number = 0;
  MPI_Send(&number, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
}
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  wrong(99);
  return MPI_Finalize();
}
"""


def test_an_error_that_ends_the_run_says_where_in_the_program_it_was(hindcast, compile_program, tmp_path):
    source = tmp_path / "placed.c"
    source.write_text(PLACED)
    done = hindcast("run", "-n", "2", compile_program(source, "-g", "-O0"))
    assert done.returncode != 0
    assert done.stderr.startswith("hindcast: rank 0: MPI_Send: argument 4 (dest) is 99")
    assert done.stderr.endswith(", in wrong (placed.c:4)\n")
