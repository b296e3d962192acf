! SHMEM as Fortran programs of the T3E called it: each sort of call, with values checked.
program shmem_fortran
  implicit none
  include 'mpp/shmem.fh'
  integer, parameter :: n = 4
  integer :: me, pes, next, i, failures
  integer, save :: numbers(8), got(8), sync(SHMEM_REDUCE_SYNC_SIZE), counter, flag
  integer(8), save :: long_counter, lock, longs(4)
  real(8), save :: values(4), sums(4), work(8)
  real(4), save :: reals(4), real_sums(4), real_work(8)
  complex(4), save :: waves(2), wave_sums(2), wave_work(8)
  character(len=8), save :: word
  common /shared/ table
  integer :: table(16)
  integer(8) :: place, block(4)
  pointer (place, block)
  integer :: error

  call start_pes(0)
  me = my_pe()
  pes = num_pes()
  next = mod(me + 1, pes)
  failures = 0
  sync = SHMEM_SYNC_VALUE
  counter = 0
  long_counter = 0
  lock = 0
  flag = 0
  numbers = me
  got = -1
  table = -1
  values = me
  reals = me
  waves = cmplx(me, 1)
  word = 'nothing'
  call shmem_barrier_all

  call shmem_integer_put(got, numbers, 4, next)
  call shmem_put4(got(5), numbers, 2, next)
  call shmem_put32(table, numbers, 2, next)
  call shmem_put8(sums, values, 4, next)
  call shmem_character_put(word, 'hello   ', 8, next)
  call shmem_quiet
  call shmem_barrier_all
  call check(all(got == [(before(), i = 1, 6), -1, -1]), 1)
  call check(table(2) == before() .and. table(3) == -1 .and. sums(4) == before() .and. word == 'hello', 2)

  call shmem_get64(sums, values, 2, next)
  call shmem_real_get(real_sums, reals, 4, next)
  call check(sums(2) == next .and. real_sums(4) == next, 3)
  call shmem_integer_iput(table, numbers, 4, 2, 3, next)
  call shmem_barrier_all
  call check(table(9) == before() .and. table(10) == -1, 4)
  call shmem_iget8(sums, values, 1, 2, 2, next)
  call check(sums(2) == next, 5)

  numbers = [(10 * me + i, i = 1, 8)]
  call shmem_ixput32(table, numbers, [12, 10], 2, next)
  call shmem_barrier_all
  call check(all(table(10:13) == [-1, 10 * before() + 2, -1, 10 * before() + 1]), 21)
  call shmem_ixget4(got, numbers, [6, 0], 2, next)
  call check(all(got(:2) == 10 * next + [7, 1]), 22)
  longs = -1
  call shmem_barrier_all
  call shmem_ixput(longs, [int(me, 8)], [3_8], 1, next)
  call shmem_barrier_all
  call check(all(longs == [-1, -1, -1, before()]), 23)
  call shmem_ixget(values, sums, [1_8], 1, me)
  call check(values(1) == sums(2), 24)
  numbers = me
  values = me
  place = shmem_ptr(longs, me)
  call check(place == loc(longs) .and. block(4) == before() .and. shmem_ptr(longs, next) == 0, 25)
  call shmem_barrier_all

  call shmem_int4_inc(counter, 0)
  call shmem_int8_add(long_counter, 10_8, 0)
  call shmem_barrier_all
  if (me == 0) call check(counter == pes .and. long_counter == 10 * pes, 6)
  call check(shmem_int4_fadd(counter, 0, 0) == pes, 7)
  call shmem_barrier_all
  if (me == 1) call check(shmem_int4_swap(counter, 55, 0) == pes, 8)
  call shmem_barrier_all
  if (me == 1) call check(shmem_int4_cswap(counter, 55, 66, 0) == 55, 9)
  call shmem_barrier_all
  if (me == 0) call check(counter == 66, 10)

  if (me == 0) then
    call shmem_integer_put(flag, [7], 1, 1)
  else if (me == 1) then
    call shmem_int4_wait_until(flag, SHMEM_CMP_GE, 7)
    call check(flag == 7, 11)
  end if
  call shmem_barrier_all

  call shmem_set_lock(lock)
  call shmem_get4(got, counter, 1, 0)
  got(1) = got(1) + 1
  call shmem_put4(counter, got, 1, 0)
  call shmem_clear_lock(lock)
  call shmem_barrier_all
  if (me == 0) call check(counter == 66 + pes, 12)

  call shmem_real8_sum_to_all(sums, values, 4, 0, 0, pes, work, sync)
  call check(sums(3) == pes * (pes - 1) / 2, 13)
  call shmem_barrier_all
  call shmem_comp4_sum_to_all(wave_sums, waves, 2, 0, 0, pes, wave_work, sync)
  call check(wave_sums(2) == cmplx(pes * (pes - 1) / 2, pes), 14)
  call shmem_barrier_all
  call shmem_int4_max_to_all(got, numbers, 4, 0, 0, pes, numbers, sync)
  call check(got(4) == pes - 1, 15)
  call shmem_barrier_all
  numbers = me
  call shmem_barrier_all
  call shmem_broadcast4(got, numbers, 4, 2, 0, 0, pes, sync)
  if (me /= 2) call check(got(1) == 2, 16)
  call shmem_barrier_all
  call shmem_fcollect4(table, numbers, 2, 0, 0, pes, sync)
  call check(all(table(:2 * pes) == [(i / 2, i = 0, 2 * pes - 1)]), 17)
  call shmem_barrier(0, 0, pes, sync)

  call shpalloc(place, 4, error, 1)
  call check(error == 0 .and. place /= 0, 18)
  longs = me
  call shmem_put8(block, longs, 4, next)
  call shmem_barrier_all
  call check(block(4) == before(), 19)
  call shpdeallc(place, error, 1)
  call check(error == 0, 20)
  if (me == 0 .and. failures == 0) print '(a)', 'right'

contains
  integer function before()
    before = mod(me + pes - 1, pes)
  end function

  include 'shmem_fortran_check.inc'
end program
