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
  CHECK(PMPI_Aint_add(3_MPI_ADDRESS_KIND, 4_MPI_ADDRESS_KIND) == 7)
  call PMPI_F_sync_reg(number)
#if defined(BY_F08) || defined(BY_MPI)
  call sizes
#endif
  call PMPI_Finalize(ierror)
  call finish(me)
#if defined(BY_F08) || defined(BY_MPI)
contains
  subroutine sizes
    use, intrinsic :: iso_c_binding, only: c_associated, c_ptr
    integer :: size, ierror
    complex(8) :: numbers(3)
    type(c_ptr) :: memory
    call PMPI_Sizeof(numbers, size, ierror)
    CHECK(size == 16 .and. ierror == MPI_SUCCESS)
    call PMPI_Sizeof(' ', size, ierror)
    CHECK(size == 1)
    call PMPI_Alloc_mem(8_MPI_ADDRESS_KIND, MPI_INFO_NULL, memory, ierror)
    CHECK(ierror == MPI_SUCCESS .and. c_associated(memory))
  end subroutine
#endif
end program
