"""Programs of C and Fortran: who is main, and what goes from one to the other."""

import pytest

C_PART = """#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>

static int keyval;

/* Handles go as they are; what Fortran passes by address, C's functions take as MPI_Fint. */
void in_c_(MPI_Fint* comm, MPI_Fint* type, MPI_Fint* status, int* good) {
  MPI_Comm world = MPI_Comm_f2c(*comm);
  int same, size, count;
  MPI_Status here;
  MPI_Comm_compare(world, MPI_COMM_WORLD, &same);
  MPI_Type_size(MPI_Type_f2c(*type), &size);
  MPI_Status_f2c(status, &here);
  MPI_Get_count(&here, MPI_INTEGER, &count);
  *good = same == MPI_IDENT && size == 12 && here.MPI_TAG == 5 && count == 2;
}

void attributes_in_c_(MPI_Fint* by_fortran, int* good) {
  static int value = 9;
  int flag;
  MPI_Aint* number;
  MPI_Comm_get_attr(MPI_COMM_WORLD, *by_fortran, &number, &flag);
  *good = flag && *number == -3;
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, 0);
  MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &value);
}

MPI_Fint keyval_of_c_(void) { return keyval; }

int address_is_mine_(MPI_Aint* address) { return *(int*)*address == 9; }
"""

FORTRAN_PART = """subroutine work(good)
  use mpi
  implicit none
  interface
    integer function keyval_of_c()
    end function
    logical function address_is_mine(address)
      use mpi
      integer(MPI_ADDRESS_KIND) :: address
    end function
  end interface
  integer, intent(out) :: good
  integer :: type, status(MPI_STATUS_SIZE), ierror, me, numbers(2), key, right
  integer(MPI_ADDRESS_KIND) :: value
  logical :: flag
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  call MPI_Type_contiguous(3, MPI_INTEGER, type, ierror)
  call MPI_Sendrecv([me, 1], 2, MPI_INTEGER, me, 5, numbers, 2, MPI_INTEGER, me, 5, MPI_COMM_WORLD, status, ierror)
  call in_c(MPI_COMM_WORLD, type, status, good)
  call MPI_Type_free(type, ierror)
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND, ierror)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, -3_MPI_ADDRESS_KIND, ierror)
  call attributes_in_c(key, right)
  good = good * right
  call MPI_Comm_get_attr(MPI_COMM_WORLD, keyval_of_c(), value, flag, ierror)
  if (.not. flag .or. .not. address_is_mine(value)) good = 0
end subroutine
"""

C_MAIN = """
void work_(int* good);
int main(int argc, char** argv) {
  int good = 0;
  MPI_Init(&argc, &argv);
  work_(&good);
  puts(good ? "right" : "wrong");
  return MPI_Finalize();
}
"""
FORTRAN_MAIN = """
program main
  use mpi
  integer :: good, ierror
  call MPI_Init(ierror)
  call work(good)
  print '(a)', trim(merge('right', 'wrong', good /= 0))
  call MPI_Finalize(ierror)
end program
"""


@pytest.mark.parametrize("main,linker", [("c", "hindcast-mpicc"), ("c", "hindcast-mpifort"), ("f", "hindcast-mpifort")])
def test_c_and_fortran(main, linker, run_command, path_env, hindcast, tmp_path):
    (tmp_path / "c_part.c").write_text(C_PART + (C_MAIN if main == "c" else ""))
    (tmp_path / "f_part.f90").write_text(FORTRAN_PART + (FORTRAN_MAIN if main == "f" else ""))
    libraries = ["-lgfortran"] if linker == "hindcast-mpicc" else []
    for command in (
        ["hindcast-mpicc", "-c", "c_part.c"],
        ["hindcast-mpifort", "-c", "f_part.f90"],
        [linker, "-o", "program", "c_part.o", "f_part.o", *libraries],
    ):
        done = run_command(command, env=path_env, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    done = hindcast("run", "-m", "ideal", "-n", "3", tmp_path / "program")
    assert (done.stdout, done.stderr, done.returncode) == ("right\n" * 3, "", 0)
