! OpenMP from Fortran: levels, tasks that reduce and depend, a loop whose iterations wait, what is cancelled, teams.
program levels
  use omp_lib
  implicit none
  integer :: members, total, i, value, next
  integer(8) :: sum_of_tasks
  real :: x(100), y(100)

  call omp_set_max_active_levels(2)
  members = 0
  !$omp parallel num_threads(3)
  !$omp parallel num_threads(2) reduction(+:members)
  members = members + omp_get_level()
  call check(omp_get_ancestor_thread_num(2) == omp_get_thread_num(), 'place')
  !$omp end parallel
  !$omp end parallel
  call check(omp_get_level() == 0, 'level')

  sum_of_tasks = 0
  !$omp parallel num_threads(4)
  !$omp single
  !$omp taskgroup task_reduction(+:sum_of_tasks)
  do i = 1, 20
    !$omp task in_reduction(+:sum_of_tasks) firstprivate(i)
    sum_of_tasks = sum_of_tasks + i
    !$omp end task
  end do
  !$omp end taskgroup
  !$omp task depend(out: value)
  value = 1
  !$omp end task
  !$omp task depend(inout: value)
  value = value + 1
  !$omp end task
  !$omp end single
  !$omp end parallel
  call check(sum_of_tasks == 210, 'tasks')
  call check(value == 2, 'dependences')

  next = 0
  !$omp parallel do ordered(1) schedule(dynamic) num_threads(4)
  do i = 1, 30
    !$omp ordered depend(sink: i - 1)
    next = next + 1
    call check(next == i, 'doacross')
    !$omp ordered depend(source)
  end do
  !$omp end parallel do

  call random_number(x)
  total = 0
  !$omp target teams distribute parallel do num_teams(2) map(to: x) map(from: y) reduction(+:total)
  do i = 1, 100
    y(i) = 2 * x(i)
    total = total + i
  end do
  call check(all(abs(y - 2 * x) <= 0) .and. total == 5050, 'target')
  call check(omp_get_num_devices() == 0, 'devices')
  call check(omp_get_initial_device() == 0, 'the initial device')
  call omp_set_schedule(omp_sched_guided, 3)
  print '(a)', 'right'

contains
  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (.not. holds) then
      print '(2a)', 'wrong: ', what
      error stop 9
    end if
  end subroutine
end program
