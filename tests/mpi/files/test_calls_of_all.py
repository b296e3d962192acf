"""A run with --check refuses accesses to a file that all its ranks have to make, and one does not."""

import pytest

PROGRAM = """
#include <mpi.h>
int main(int argc, char** argv) {
  int rank, data[2] = {1, 2};
  MPI_File file;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  if (argc == 2 || rank == argv[2][0] - '0') ACCESS; /* line 10 */
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_File_write_at(file, 8 * rank, data, 2, MPI_INT, MPI_STATUS_IGNORE); /* each by itself */
  MPI_File_close(&file); /* line 13 */
  MPI_Finalize();
  return 0;
}
"""
ACCESSES = {
    "MPI_File_write_all": "MPI_File_write_all(file, data, 2, MPI_INT, MPI_STATUS_IGNORE)",
    "MPI_File_read_at_all": "MPI_File_read_at_all(file, 0, data, 2, MPI_INT, MPI_STATUS_IGNORE)",
    "MPI_File_iread_all": "MPI_File_iread_all(file, data, 2, MPI_INT, &request)",
    "MPI_File_write_at_all_begin": "MPI_File_write_at_all_begin(file, 0, data, 2, MPI_INT), "
    "MPI_File_write_at_all_end(file, data, MPI_STATUS_IGNORE)",
}


@pytest.mark.parametrize("rank", ["0", "1"])
@pytest.mark.parametrize("call", ACCESSES)
def test_a_check_names_the_access_that_not_all_ranks_make(run_program, tmp_path, call, rank):
    program = PROGRAM.replace("ACCESS", ACCESSES[call])
    refused = run_program(program, 3, tmp_path / "some", rank, launcher=["--check"])
    assert refused.returncode != 0
    assert "MPI_File_close" in refused.stderr and call in refused.stderr
    assert ".c:10)" in refused.stderr and ".c:13)" in refused.stderr
    assert "all its ranks must make the same collective calls in the same order" in refused.stderr
    assert run_program(program, 3, tmp_path / "some", rank).returncode == 0
    all_make_it = run_program(program, 3, tmp_path / "all", launcher=["--check"])
    assert (all_make_it.returncode, all_make_it.stderr) == (0, "")
