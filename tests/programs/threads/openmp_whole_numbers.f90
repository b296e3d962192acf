! OpenMP's routines of Fortran that have numbers of the default kind and of 64 bits.
program whole_numbers
  use omp_lib
  implicit none
  integer(omp_sched_kind) :: kind
  integer(omp_nest_lock_kind) :: lock
  integer :: chunk, places(2) = -1
  integer(8) :: long_chunk, long_places(2) = -1

  call omp_set_schedule(omp_sched_static, 7_8)
  call omp_get_schedule(kind, chunk)
  if (kind /= omp_sched_static .or. chunk /= 7) error stop 'a chunk of the default kind'
  call omp_get_schedule(kind, long_chunk)
  if (kind /= omp_sched_static .or. long_chunk /= 7) error stop 'a chunk of 64 bits'

  call omp_get_place_proc_ids(0, places)
  call omp_get_place_proc_ids(0_8, long_places)
  call omp_get_partition_place_nums(places)
  call omp_get_partition_place_nums(long_places)
  if (any(places /= -1) .or. any(long_places /= -1)) error stop 'there are no places'

  call omp_init_nest_lock(lock)
  call omp_set_nest_lock(lock)
  if (omp_test_nest_lock(lock) /= 2) error stop 'a lock that is taken again'
  call omp_unset_nest_lock(lock)
  call omp_unset_nest_lock(lock)
  if (omp_test_nest_lock(lock) /= 1) error stop 'a lock that is free'
  call omp_unset_nest_lock(lock)
  call omp_destroy_nest_lock(lock)
  print '(a)', 'right'
end program
