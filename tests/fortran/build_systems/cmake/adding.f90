! The library of sums_by_library.f90: it has MPI and the units of its rank in common with the program.
module adding
  use mpi
  implicit none
contains
  subroutine add(number, total)
    integer, intent(in) :: number
    integer, intent(out) :: total
    integer :: ierror
    call MPI_Allreduce(number, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    write (10, *) total
  end subroutine
end module
