"""A request that an array has twice is an error of the call, and not a wait for ever, whenever the request ends."""

import pytest

PROGRAM = """
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char** argv) {
  int rank, out = 5, in = 0, flag = 0, code = MPI_SUCCESS, kind;
  MPI_Request twice[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) sleep(SENDER);
  if (rank == 1) MPI_Send(&out, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
  if (rank == 0) {
    RECEIVE(&in, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &twice[0]);
    twice[2] = twice[0];
    sleep(RECEIVER);
    CALL;
    MPI_Error_class(code, &kind);
    printf("%s\\n", kind == MPI_ERR_REQUEST ? "refused" : "taken");
    if (START) MPI_Wait(&twice[0], MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
"""
CALLS = {
    "MPI_Waitall": "code = MPI_Waitall(3, twice, MPI_STATUSES_IGNORE)",
    "MPI_Testall": "while (!flag && code == MPI_SUCCESS) code = MPI_Testall(3, twice, &flag, MPI_STATUSES_IGNORE)",
}


def run(run_program, **words):
    program = PROGRAM
    for word, text in words.items():
        program = program.replace(word, text)
    done = run_program(program, 2)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("late", ["SENDER", "RECEIVER"])
@pytest.mark.parametrize("call", CALLS)
def test_a_request_listed_twice_is_refused(run_program, call, late):
    words = {"SENDER": "0", "RECEIVER": "0", late: "1"}
    assert run(run_program, **words, RECEIVE="MPI_Irecv", CALL=CALLS[call], START="0") == "refused\n"


def test_a_persistent_request_listed_twice_is_started_once(run_program):
    call = "twice[1] = twice[0]; code = MPI_Startall(3, twice)"
    words = {"SENDER": "0", "RECEIVER": "0", "START": "1", "CALL": call}
    assert run(run_program, **words, RECEIVE="MPI_Recv_init") == "refused\n"
