! APlib from Fortran: messages, probes, broadcasts, reductions and barriers, with values checked.
program aplib_fortran
  implicit none
  include 'aplib.fh'
  integer :: me, cells, next, before, bytes, message(3), outgoing, incoming, sum, smallest
  integer, save :: numbers(4), got(4), single
  real :: low
  double precision :: high
  logical :: right
  me = l_cellid()
  cells = l_ncells()
  next = mod(me + 1, cells)
  before = mod(me + cells - 1, cells)
  numbers = me * 10 + [1, 2, 3, 4]
  got = 0
  call l_asend(next, 5, numbers, 16)
  bytes = l_arecv(before, L_ANY, got, 16, message)
  right = bytes == 16 .and. all(got == before * 10 + [1, 2, 3, 4]) .and. all(message == [before, 5, 16])
  right = right .and. l_aprobe(L_ANY, L_ANY, message) == 0
  call sync
  incoming = l_begin_recv(before, 6, single, 4)
  outgoing = l_begin_send(next, 6, me, 4)
  bytes = l_wait(incoming, message)
  right = right .and. bytes == 4 .and. single == before .and. message(1) == before
  do while (l_test(outgoing, message) == 0)
  end do
  if (me == 0) then
    call cbroad(7, numbers, 16)
  else
    bytes = l_arecv(0, 7, got, 16, message)
    right = right .and. all(got == [1, 2, 3, 4])
  end if
  sum = me
  call xy_isum(sum, 1)
  high = me + 0.5d0
  call xy_dmax(high, 1)
  low = me + 0.25
  call xy_fmin(low, 1)
  right = right .and. sum == cells * (cells - 1) / 2 .and. high == cells - 0.5d0 .and. low == 0.25
  right = right .and. l_clock() > 0
  smallest = merge(1, 0, right)
  call xy_imin(smallest, 1)
  if (smallest == 1 .and. me == 0) print '(a)', 'right'
end program
