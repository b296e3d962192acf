"""A run with --check refuses sends whose buffer the program changes before they are complete."""

import pytest

PROGRAM = """
#include <mpi.h>
int main(int argc, char** argv) {
  int rank, in = 0, out[2] = {7, 1};
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) MPI_Recv(&in, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0) {
    MPI_Isend(out, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request); /* line 10 */
    out[argc > 1 ? 0 : 1] = 8; /* the second is not sent */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize("machine", ["ideal", "ap3000", "t3e-900"])
def test_a_check_names_the_send_whose_buffer_has_been_changed(run_program, machine):
    done = run_program(PROGRAM, 2, "change", machine=machine, launcher=["--check"])
    assert done.returncode != 0
    assert "rank 0: MPI_Wait: the buffer of the send to rank 1 with tag 3, begun in main (program" in done.stderr
    assert ".c:10), has been changed before the send was complete" in done.stderr
    assert "MPI_ERR_BUFFER" in done.stderr
    assert run_program(PROGRAM, 2, machine=machine, launcher=["--check"]).returncode == 0
    assert run_program(PROGRAM, 2, "change", machine=machine).returncode == 0
