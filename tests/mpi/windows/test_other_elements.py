"""A run with --check refuses accesses to a window that name other numbers at one end than at the other."""

import pytest

PROGRAM = """
#include <mpi.h>
int main(int argc, char** argv) {
  double* memory;
  double mine[2] = {0, 0};
  MPI_Win window;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Win_allocate(16, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  MPI_Win_lock_all(0, window);
  ACCESS;
  (void)request;
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
"""
WRONG = {
    "MPI_Put": "MPI_Put(mine, 2, MPI_DOUBLE, 0, 0, 4, MPI_INT, window)",
    "MPI_Rput": "MPI_Rput(mine, 2, MPI_DOUBLE, 0, 0, 4, MPI_INT, window, &request)",
    "MPI_Get": "MPI_Get(mine, 2, MPI_DOUBLE, 0, 0, 4, MPI_INT, window)",
    "MPI_Rget": "MPI_Rget(mine, 2, MPI_DOUBLE, 0, 0, 4, MPI_INT, window, &request)",
}
RIGHT = [
    "MPI_Put(mine, 2, MPI_DOUBLE, 0, 0, 16, MPI_BYTE, window)",
    "MPI_Put(mine, 4, MPI_INT, 0, 0, 4, MPI_UNSIGNED, window)",
    "MPI_Get(mine, 2, MPI_DOUBLE, 0, 0, 1, MPI_C_DOUBLE_COMPLEX, window)",
]


@pytest.mark.parametrize("call", WRONG)
def test_a_check_names_both_numbers(run_program, call):
    program = PROGRAM.replace("ACCESS;", f"{WRONG[call]}; MPI_Win_flush(0, window);")
    done = run_program(program, 1, launcher=["--check"])
    assert done.returncode != 0
    assert (
        f"rank 0: {call}: the origin's datatype has, at byte 0, a floating-point number of 8 bytes "
        "where the target's has an integer of 4 bytes"
    ) in done.stderr
    assert "MPI_ERR_TYPE" in done.stderr


@pytest.mark.parametrize("access", RIGHT)
def test_what_comes_out_right_is_not_refused(run_program, access):
    done = run_program(PROGRAM.replace("ACCESS;", f"{access};"), 1, launcher=["--check"])
    assert (done.returncode, done.stderr) == (0, "")
