"""A run with --check tells of reductions that the standard does not define and every MPI takes."""

import textwrap

import pytest

PROGRAM = """
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, mine = 1, both;
  char letter = 1, letters;
  MPI_Aint address = 1, addresses;
  MPI_Offset offset = 1, offsets;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&mine, &both, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  MPI_Allreduce(&address, &addresses, 1, MPI_AINT, MPI_SUM, MPI_COMM_WORLD);
  if (LENIENT) {
    MPI_Allreduce(&letter, &letters, 1, MPI_CHAR, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce(&address, &addresses, 1, MPI_AINT, MPI_LAND, 0, MPI_COMM_WORLD);
    MPI_Reduce(&address, &addresses, 1, MPI_AINT, MPI_LAND, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Reduce_local(&offset, &offsets, 1, MPI_OFFSET, MPI_LXOR);
  }
  MPI_Finalize();
  return 0;
}
"""
END = "is taken, as every MPI takes it, but the standard does not define it"
LINES = [
    f"hindcast: MPI_Allreduce: MPI_SUM of MPI_CHAR (rank 0) {END}",
    f"hindcast: MPI_Reduce: MPI_LAND of MPI_AINT (rank 0) {END}",
    f"hindcast: MPI_Reduce_local: MPI_LXOR of MPI_OFFSET (rank 1) {END}",
]


@pytest.mark.parametrize("launcher", [["--check"], ["--check", "--lockstep"]], ids=["ahead", "lockstep"])
@pytest.mark.parametrize("is_lenient", [0, 1], ids=["as the standard has it", "lenient"])
def test_a_check_says_once_each_what_the_standard_does_not_define(run_program, tmp_path, is_lenient, launcher):
    source = tmp_path / "program.c"
    source.write_text(textwrap.dedent(PROGRAM).replace("LENIENT", str(is_lenient)))
    checked = run_program(source, 2, launcher=launcher)
    assert checked.returncode == 0, checked.stderr
    assert checked.stderr.splitlines() == (LINES if is_lenient else [])
    assert run_program(source, 2).stderr == ""
