! An operation that is a procedure of the program's own, which uses what surrounds it.
program contained_callbacks
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_ptr
  use mpi_f08
  implicit none
  type(MPI_Op) :: op
  integer :: rank, least, uses
  uses = 0
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Op_create(smaller, .true., op)
  call MPI_Allreduce(rank + 7, least, 1, MPI_INTEGER, op, MPI_COMM_WORLD)
  call MPI_Op_free(op)
  call MPI_Allreduce(MPI_IN_PLACE, uses, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (rank == 0) print '(a,i0,a,l1)', 'least ', least, ', used ', uses > 0
  call MPI_Finalize()

contains

  subroutine smaller(invec, inoutvec, length, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: length
    type(MPI_Datatype) :: datatype
    integer, pointer :: one(:), other(:)
    if (datatype /= MPI_INTEGER) call MPI_Abort(MPI_COMM_WORLD, 1)
    call c_f_pointer(invec, one, [length])
    call c_f_pointer(inoutvec, other, [length])
    other = min(one, other)
    uses = uses + 1
  end subroutine smaller

end program contained_callbacks
