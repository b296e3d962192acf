! As given_back.cpp, with what Fortran allocates.
program given_back
  use mpi
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: bytes = 40000
  character, allocatable, target :: array(:)
  integer :: rank, error
  integer(c_intptr_t) :: address
  double precision :: first, known, anew
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  allocate(array(bytes))
  address = transfer(c_loc(array), address)
  first = time_of_broadcast()
  known = time_of_broadcast()
  deallocate(array)
  allocate(array(bytes))
  anew = time_of_broadcast()
  if (rank == 0) print '(a,a,3f12.9)', 'deallocate ', &
    merge('there    ', 'elsewhere', transfer(c_loc(array), address) == address), first, known, anew
  deallocate(array)
  call MPI_Finalize(error)
contains
  double precision function time_of_broadcast()
    double precision :: begin
    call MPI_Barrier(MPI_COMM_WORLD, error)
    begin = MPI_Wtime()
    call MPI_Bcast(array, bytes, MPI_CHARACTER, 0, MPI_COMM_WORLD, error)
    call MPI_Barrier(MPI_COMM_WORLD, error)
    time_of_broadcast = MPI_Wtime() - begin
  end function
end program
