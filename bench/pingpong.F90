! The same as pingpong.c, by mpi_f08, the module mpi or mpif.h: BY_F08, BY_MPI or BY_H.   pingpong ITERATIONS
program pingpong
#if defined(BY_F08)
  use mpi_f08
  implicit none
#elif defined(BY_MPI)
  use mpi
  implicit none
#else
  implicit none
  include 'mpif.h'
#endif
  integer :: rank, iterations, i, ierror
  double precision :: ball(1), start, elapsed
  character(20) :: argument

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  iterations = 1000
  if (command_argument_count() > 0) then
    call get_command_argument(1, argument)
    read (argument, *) iterations
  end if
  ball = merge(1, 0, rank == 0)

  start = MPI_Wtime()
  do i = 1, iterations
    if (rank == 0) then
      call MPI_Send(ball, 8, MPI_BYTE, 1, 7, MPI_COMM_WORLD, ierror)
      call MPI_Recv(ball, 8, MPI_BYTE, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    else
      call MPI_Recv(ball, 8, MPI_BYTE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
      call MPI_Send(ball, 8, MPI_BYTE, 0, 7, MPI_COMM_WORLD, ierror)
    end if
  end do
  elapsed = MPI_Wtime() - start

  if (iterations > 0 .and. ball(1) /= 1) error stop 'wrong data'
  if (rank == 0) print '(a,i0,a,f0.9,a)', 'pingpong: ', 2 * iterations, ' messages in ', elapsed, ' simulated seconds'
  call MPI_Finalize(ierror)
end program
