! ranks: 2
#include "checks.inc"

! Every function by its second name, of which these are some.
program profiling
#include "mpi_here.inc"
  integer :: me, number, ierror
  call PMPI_Init(ierror)
  call PMPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  number = me + 4
  call PMPI_Bcast(number, 1, MPI_INTEGER, 1, MPI_COMM_WORLD, ierror)
  CHECK(number == 5)
  CHECK(PMPI_Wtime() > 0)
  call PMPI_Finalize(ierror)
  call finish(me)
end program
