! SHMEM's routines in Fortran whose names give no length take integers of default kind; and what only Fortran has.
program shmem_fortran_kinds
  implicit none
  include 'mpp/shmem.fh'
  integer, parameter :: many = 40
  integer :: me, pes, next, turn, failures
  ! An array, so that what is written beside an element is seen.
  integer, save :: lock(3), flag(3), swapped(3), counter, sync(SHMEM_REDUCE_SYNC_SIZE)
  character(len=6), save :: word
  real(16), save :: quads(many), results(many), work(many)

  call start_pes(0)
  me = my_pe()
  pes = num_pes()
  next = mod(me + 1, pes)
  failures = 0
  lock = [-1, 0, -1]
  flag = [-1, 0, -1]
  swapped = [-1, 7, -1]
  counter = 0
  word = 'nobody'
  sync = SHMEM_SYNC_VALUE
  quads = 1 / 3.0_16
  call shmem_barrier_all

  do turn = 1, 5
    call shmem_set_lock(lock(2))
    call shmem_get4(flag, counter, 1, 0)
    flag(1) = flag(1) + 1
    call shmem_put4(counter, flag, 1, 0)
    call shmem_clear_lock(lock(2))
  end do
  flag = [-1, 0, -1]
  call shmem_barrier_all
  if (me == 0) call check(counter == 5 * pes, 1)
  call check(all(lock == [-1, 0, -1]), 2)
  if (me == 0) then
    call check(shmem_test_lock(lock(2)) == 0 .and. shmem_test_lock(lock(2)) == 1, 3)
  end if
  call shmem_barrier_all
  if (me /= 0) call check(shmem_test_lock(lock(2)) == 1, 4)
  call shmem_barrier_all
  if (me == 0) call shmem_clear_lock(lock(2))
  call shmem_barrier_all
  call check(all(lock == [-1, 0, -1]), 5)

  if (me == 0) call shmem_put4(flag(2), [5], 1, next)
  call shmem_wait(flag(2), 0)
  if (me /= 0) call shmem_put4(flag(2), [5], 1, next)
  call shmem_wait_until(flag(2), SHMEM_CMP_EQ, 5)
  call check(all(flag == [-1, 5, -1]), 6)
  call check(shmem_swap(swapped(2), -3, next) == 7, 7)
  call shmem_barrier_all
  call check(all(swapped == [-1, -3, -1]), 8)

  call shmem_putmem(word, 'some', 4, next)
  call shmem_barrier_all
  call check(word == 'somedy', 9)
  call shmem_getmem(word, word, 6, next)
  call check(word == 'somedy', 10)
  call check(shmem_pe_accessible(next) .and. .not. shmem_pe_accessible(pes), 11)
  call check(shmem_addr_accessible(counter, next), 12)
  call shmem_set_cache_line_inv(counter)
  call shmem_clear_cache_line_inv(counter)
  call shmem_udcflush_line(counter)

  call shmem_real16_sum_to_all(results, quads, many, 0, 0, pes, work, sync)
  call check(abs(results(many) - pes / 3.0_16) < 1e-30_16, 13)
  call shmem_barrier_all
  quads = me
  call shmem_real16_max_to_all(results, quads, 1, 0, 0, pes, work, sync)
  call check(results(1) == pes - 1, 14)
  call shmem_barrier_all
  call shmem_real16_min_to_all(results, quads, 1, 0, 0, pes, work, sync)
  call check(results(1) == 0, 15)
  call shmem_barrier_all
  quads = 2
  call shmem_real16_prod_to_all(results, quads, 1, 0, 0, pes, work, sync)
  call check(results(1) == 2**pes, 16)
  call shmem_barrier_all
  if (me == 0 .and. failures == 0) print '(a)', 'right'

contains
  include 'shmem_fortran_check.inc'
end program
