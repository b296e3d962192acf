program sums_by_library
  use mpi
  use adding, only: add
  implicit none
  integer :: rank, ranks, total, written, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  open (10, status='scratch')
  call add(rank + 1, total)
  rewind (10)
  read (10, *) written
  if (written /= total) print '(a)', 'the library writes to other units'
  if (rank == 0) print '(a, i0, a, i0)', 'sum of ', ranks, ' ranks: ', total
  call MPI_Finalize(ierror)
end program
