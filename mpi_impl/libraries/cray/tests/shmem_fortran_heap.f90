! The symmetric heap's error codes, as SHPALLOC and its kin give them to a program that asks for them.
program shmem_fortran_heap
  implicit none
  include 'mpp/shmem.fh'
  integer(8) :: place, other, kept, elsewhere, block(4)
  pointer (place, block)
  integer :: code, me, next
  integer, save :: outside

  me = my_pe()
  next = mod(me + 1, num_pes())
  call shpalloc(place, 0, code, 0)
  call check(code == -1 .and. place == 0, 1)
  call shpalloc(place, 2000000000, code, 0)
  call check(code == -2 .and. place == 0, 2)
  call shpdeallc(place, code, 0)
  call check(code == -3, 3)
  call shpclmove(place, 4, code, 0)
  call check(code == -3 .and. place == 0, 4)
  call shpalloc(place, 4, code, 0)
  call check(code == 0, 5)
  block = me
  call shpclmove(place, 0, code, 0)
  call check(code == -1, 6)
  call shpclmove(place, 100, code, 0)
  call check(code == 0 .and. block(4) == me, 7)
  call shpalloc(other, 4, code, 1)
  kept = place
  call shpclmove(place, 2000000000, code, 0)
  call check(code == -2 .and. place == kept, 8)
  call shpclmove(place, 200, code, 0)
  call check(code == 1 .and. place /= kept .and. block(4) == me, 9)
  ! Where it was is free now, and what is given back leaves its pointer as it is.
  call shpdeallc(kept, code, 0)
  call check(code == -4, 10)
  call shpclmove(kept, 4, code, 0)
  call check(code == -4, 11)
  elsewhere = place + 8
  call shpdeallc(elsewhere, code, 0)
  call check(code == -5, 12)
  elsewhere = loc(outside)
  call shpdeallc(elsewhere, code, 0)
  call check(code == -3, 13)
  kept = place
  call shpdeallc(place, code, 0)
  call check(code == 0 .and. place == kept, 14)
  call shpdeallc(place, code, 0)
  call check(code == -4, 15)
  call shpdeallc(other, code, 1)
  call check(code == 0, 16)
  if (me == 0) print '(a)', 'right'

contains
  subroutine check(is_right, number)
    logical, intent(in) :: is_right
    integer, intent(in) :: number
    if (.not. is_right) print '(a, i0, a, i0, a, i0)', 'PE ', me, ': wrong: ', number, ': ', code
  end subroutine
end program
