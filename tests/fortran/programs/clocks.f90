! Fortran's clocks show simulated time.
program clocks
  use mpi
  implicit none
  integer :: ierror, me, values(8)
  integer(8) :: began, ended, rate
  real(8) :: cpu_began, cpu_ended, wall_began, random(3)
  real(4) :: pair(2), etime, secnds
  character(len=8) :: date
  character(len=10) :: time
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  call random_number(random)
  call system_clock(began, rate)
  call cpu_time(cpu_began)
  wall_began = MPI_Wtime()
  call hindcast_compute_seconds(2.5d0)
  call cpu_time(cpu_ended)
  call system_clock(ended)
  call date_and_time(date, time, values=values)
  print '(i0, 3(1x, f0.3), 1x, a, 1x, a, 1x, i0, 3(1x, f0.6))', me, dble(ended - began) / rate, cpu_ended - cpu_began, &
    MPI_Wtime() - wall_began, date, time, values(1), random
  call MPI_Finalize(ierror)
end program
