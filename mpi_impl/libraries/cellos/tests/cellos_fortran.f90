! CellOS from Fortran: messages, probes, domains, sums and barriers, with values checked.
program cellos_fortran
  implicit none
  include 'cellos.fh'
  integer :: me, cells, next, before, bytes, message(3), flag
  integer, save :: numbers(4), got(4)
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
  right = right .and. register_domain(9) == 0
  call sync
  call dl_asend(9, next, 6, numbers, 8)
  bytes = dl_arecv(9, before, 6, got, 16, message)
  right = right .and. bytes == 8 .and. got(1) == before * 10 + 1
  right = right .and. deregister_domain(9) == 0
  right = right .and. xy_isum(me) == cells * (cells - 1) / 2 .and. xy_dmax(me + 0.5d0) == cells - 0.5d0
  right = right .and. xy_fmin(me + 0.25) == 0.25
  ! Every other number, which travels while the program goes on.
  got = 0
  flag = 0
  call l_pre_receive(before, 7, got, [2, 4, 8], message, flag)
  call sync
  call l_striding_send(next, 7, numbers, [2, 4, 8], flag)
  call flag_wait(flag, 2)
  right = right .and. all(got == [before * 10 + 1, 0, before * 10 + 3, 0])
  right = right .and. l_clock() > 0
  if (xy_imin(merge(1, 0, right)) == 1 .and. me == 0) print '(a)', 'right'
end program
