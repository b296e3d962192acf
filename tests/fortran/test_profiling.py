"""A tool takes the place of MPI's functions by their names, and calls the second ones: of mpif.h and the module mpi
those of Fortran 77, of mpi_f08 where buffers have descriptors the ones that end with f08ts."""

import pytest

from tests.fortran.with_c import run_together

TOOL = """
static int sends, barriers;
void pmpi_send_(void*, int*, int*, int*, int*, int*, int*);
void pmpi_send_f08ts_(void*, int*, int*, int*, int*, int*, int*);
void pmpi_barrier_(int*, int*);
void mpi_send_(void* buffer, int* count, int* type, int* to, int* tag, int* comm, int* error) {
  ++sends;
  pmpi_send_(buffer, count, type, to, tag, comm, error);
}
void mpi_send_f08ts_(void* buffer, int* count, int* type, int* to, int* tag, int* comm, int* error) {
  sends += 100;
  pmpi_send_f08ts_(buffer, count, type, to, tag, comm, error);
}
void mpi_barrier_(int* comm, int* error) {
  ++barriers;
  pmpi_barrier_(comm, error);
}
void counted_(int* of_sends, int* of_barriers) { *of_sends = sends, *of_barriers = barriers; }
"""
PROGRAM = """program profiled
  MODULE
  implicit none
  INCLUDE
  integer :: me, other, sends, barriers, ierror
  integer :: numbers(4), got(2)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  other = 1 - me
  numbers = [1, 2, 3, 4] + 10 * me
  call MPI_Send(numbers, 2, MPI_INTEGER, other, 1, MPI_COMM_WORLD, ierror)
  call MPI_Recv(got, 2, MPI_INTEGER, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  if (any(got /= [1, 2] + 10 * other)) error stop 1
  call MPI_Send(numbers(2::2), 2, MPI_INTEGER, other, 1, MPI_COMM_WORLD, ierror)
  call MPI_Recv(got, 2, MPI_INTEGER, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  if (any(got /= [2, 4] + 10 * other)) error stop 2
  call PMPI_Send(numbers, 2, MPI_INTEGER, other, 1, MPI_COMM_WORLD, ierror)
  call MPI_Recv(got, 2, MPI_INTEGER, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call PMPI_Barrier(MPI_COMM_WORLD, ierror)
  call counted(sends, barriers)
  print '(i0, 1x, i0)', sends, barriers
  call MPI_Finalize(ierror)
end program
"""


@pytest.mark.parametrize(
    "module,include,sends", [("", "include 'mpif.h'", 2), ("use mpi", "", 2), ("use mpi_f08", "", 200)]
)
def test_a_tool_wraps_functions_by_their_names(module, include, sends, run_command, path_env, hindcast, tmp_path):
    program = PROGRAM.replace("MODULE", module).replace("INCLUDE", include)
    done = run_together(TOOL, program, run_command, path_env, hindcast, tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == (f"{sends} 1\n" * 2, "", 0)
