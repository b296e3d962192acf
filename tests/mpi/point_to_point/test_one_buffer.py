"""A run with --check refuses an exchange that receives into memory which it sends."""

import pytest

PROGRAM = """
#include <mpi.h>
int main(int argc, char** argv) {
  int rank, data[8] = {0};
  MPI_Datatype odd;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm world = MPI_COMM_WORLD;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(world, &rank);
  MPI_Type_vector(2, 1, 2, MPI_INT, &odd);
  MPI_Type_commit(&odd);
  EXCHANGE;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
"""
EXCHANGE = "MPI_Sendrecv(SENT, 1 - rank, 0, RECEIVED, 1 - rank, 0, world, MPI_STATUS_IGNORE)"
BEGIN = "MPI_Isendrecv(SENT, 1 - rank, 0, RECEIVED, 1 - rank, 0, world, &request)"
WRONG = [("data, 2, MPI_INT", "data, 2, MPI_INT"), ("data, 4, MPI_INT", "data + 3, 5, MPI_INT")]
RIGHT = [
    ("data, 2, MPI_INT", "data + 2, 2, MPI_INT"),
    ("data, 0, MPI_INT", "data, 0, MPI_INT"),
    ("data, 1, odd", "data + 1, 1, odd"),
]


def check(run_program, exchange, buffers):
    program = PROGRAM.replace("EXCHANGE", exchange.replace("SENT", buffers[0]).replace("RECEIVED", buffers[1]))
    return run_program(program, 2, launcher=["--check"]), run_program(program, 2)


@pytest.mark.parametrize("exchange", [EXCHANGE, BEGIN], ids=["blocking", "begun"])
@pytest.mark.parametrize("buffers", WRONG)
def test_a_check_refuses_buffers_that_overlap(run_program, exchange, buffers):
    checked, unchecked = check(run_program, exchange, buffers)
    assert "argument 6 (recvbuf) overlaps the send buffer" in checked.stderr
    assert "MPI_ERR_BUFFER" in checked.stderr
    assert (unchecked.returncode, unchecked.stderr) == (0, "")


@pytest.mark.parametrize("exchange", [EXCHANGE, BEGIN], ids=["blocking", "begun"])
@pytest.mark.parametrize("buffers", RIGHT)
def test_a_check_takes_buffers_that_do_not(run_program, exchange, buffers):
    for done in check(run_program, exchange, buffers):
        assert (done.returncode, done.stderr) == (0, "")
