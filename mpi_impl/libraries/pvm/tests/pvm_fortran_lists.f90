! Two tasks, the second started by the first: what pvm_fortran.f90 does not call.
program pvm_fortran_lists
  implicit none
  include 'fpvm3.h'
  external :: PvmMax, PvmMin, PvmSum, PvmProduct
  integer :: tid, parent, child, info, buffer, other, i, before, started, context, tag, source, bytes, number
  integer :: numbers(4), together(4), own(2), hosts, archs, daemon, speed, seconds, us, delta_seconds, delta_us
  integer :: classes, entries, indices(4), owners(4), flags(4), x, y
  character(64) :: name, arch, other_name
  character(1024) :: path
  call pvmfmytid(tid)
  call pvmfparent(parent)
  call must(tid > 0 .and. tid /= parent .and. (parent > 0 .or. parent == PvmNoParent))
  call pvmfsetopt(PvmAutoErr, 0, before)
  if (parent /= PvmNoParent) then
    call child_does
    call pvmfexit(info)
    stop
  end if
  call get_command_argument(0, path)
  call pvmfexport('COLOUR', info)
  call must(info == PvmOk)
  call pvmfunexport('COLOUR', info)
  call must(info == PvmOk)
  call pvmfspawn(path, PVMDEFAULT, '*', 1, child, started)
  call must(started == 1)
  call buffers
  call together_with_child
  call functions
  call mailboxes
  call machine
  call contexts
  call ends
  call pvmfexit(info)
  print '(a)', 'right'
contains
  subroutine buffers
    call pvmfmkbuf(PVMRAW, buffer)
    call must(buffer > 0)
    call pvmfsetsbuf(buffer, before)
    call must(before == 0)
    call pvmfgetsbuf(i)
    call must(i == buffer)
    call pvmfpack(INTEGER4, [11, 12], 2, 1, info)
    call must(info == PvmOk)
    call pvmfsend(tid, 1, info)
    call must(info == PvmOk)
    call pvmfprobe(tid, 1, i)
    call must(i > 0)
    call pvmfnrecv(tid, 1, other)
    call must(other > 0)
    call pvmfgetrbuf(i)
    call must(i == other)
    call pvmfsetminfo(other, 0, 77, 5, tid, tid, info)
    call must(info == PvmOk)
    call pvmfbufinfo(other, bytes, tag, source, info)
    call must(bytes == 8 .and. tag == 77 .and. source == tid)
    call pvmfinitsend(PVMDEFAULT, i)
    call pvmfpkmesgbody(other, info)
    call must(info == PvmMismatch)
    call pvmfinitsend(PVMRAW, i)
    call must(i > 0)
    call pvmfpkmesg(other, info)
    call must(info == PvmOk)
    call pvmfpkmesgbody(other, info)
    call must(info == PvmOk)
    call pvmfsend(tid, 2, info)
    call pvmfrecv(tid, 2, i)
    call must(i > 0)
    call pvmfupkmesg(other)
    call must(other > 0)
    call pvmfsetrbuf(other, before)
    call must(before == i)
    numbers = 0
    call pvmfunpack(INTEGER4, numbers, 2, 1, info)
    call must(info == PvmOk .and. all(numbers(1:2) == [11, 12]))
    call pvmffreebuf(other, info)
    call must(info == PvmOk)
    call pvmffreebuf(other, info)
    call must(info == PvmNoSuchBuf)
    call pvmfnrecv(-1, 1, i)
    call must(i == 0)
  end subroutine
  ! Both tasks.
  subroutine group_calls(instance)
    integer, intent(out) :: instance
    call pvmfjoingroup('pair', instance)
    call must(instance >= 0)
    call pvmfbarrier('pair', 2, info)
    call pvmfgsize('pair', number)
    call must(number == 2)
    call pvmfgetinst('pair', tid, i)
    call must(i == instance)
    call pvmfgettid('pair', instance, i)
    call must(i == tid)
    own = 10 * instance + [1, 2]
    together = 0
    call pvmfgather(together, own, 2, INTEGER4, 3, 'pair', 0, info)
    call must(info == PvmOk)
    if (instance == 0) call must(all(together == [1, 2, 11, 12]))
    own = 0
    call pvmfscatter(own, together, 2, INTEGER4, 4, 'pair', 0, info)
    call must(info == PvmOk .and. all(own == 10 * instance + [1, 2]))
    call pvmffreezegroup('frozen', 2, info)
    call must(info == PvmNoGroup)
    call pvmfjoingroup('frozen', i)
    call pvmffreezegroup('frozen', 2, info)
    call must(info == 2)
    number = instance + 1
    call pvmfreduce(PvmMax, number, 1, INTEGER4, 5, 'pair', 0, info)
    if (instance == 0) call must(number == 2)
    number = instance + 1
    call pvmfreduce(weighted, number, 1, INTEGER4, 6, 'pair', 0, info)
    if (instance == 0) call must(number == 1 + 10 * 2)
  end subroutine
  ! A function of the program's.
  subroutine weighted(type, a, b, count, status)
    integer, intent(in) :: type, count
    integer, intent(inout) :: a(count)
    integer, intent(in) :: b(count)
    integer, intent(out) :: status
    a = a + 10 * b
    status = merge(PvmOk, PvmBadParam, type == INTEGER4)
  end subroutine
  subroutine together_with_child
    integer :: instance
    call pvmfnotify(PvmTaskExit, 50, 1, [child], info)
    call must(info == PvmOk)
    call group_calls(instance)
    call pvmfinitsend(PVMDEFAULT, buffer)
    call pvmfpack(BYTE1, 'abc', 3, 1, info)
    call must(info == PvmOk)
    call pvmfbcast('pair', 7, info)
    call must(info == PvmOk)
    call pvmflvgroup('pair', info)
    call must(info == PvmOk)
    call pvmflvgroup('pair', info)
    call must(info == PvmNotInGroup .or. info == PvmNoGroup)
    call pvmfpstat(child, info)
    call must(info == PvmOk)
    call pvmfkill(child, info)
    call must(info == PvmOk)
    call pvmfrecv(-1, 50, buffer)
    call pvmfunpack(INTEGER4, i, 1, 1, info)
    call must(i == child)
    call pvmfpstat(child, info)
    call must(info == PvmNoTask)
    call pvmfsendsig(child, 15, info)
    call must(info == PvmNoTask)
  end subroutine
  subroutine child_does
    integer :: instance
    character(3) :: text
    call group_calls(instance)
    call pvmfrecv(parent, 7, buffer)
    call pvmfunpack(BYTE1, text, 3, 1, info)
    call must(text == 'abc')
    call pvmfrecv(parent, 8, buffer) ! for ever
  end subroutine
  subroutine functions
    x = 3
    y = 4
    call PvmMax(INTEGER4, x, y, 1, info)
    call must(x == 4 .and. info == PvmOk)
    call PvmProduct(INTEGER4, x, y, 1, info)
    call must(x == 16)
    call PvmSum(INTEGER4, x, y, 1, info)
    call must(x == 20)
    call PvmMin(INTEGER4, x, y, 1, info)
    call must(x == 4)
  end subroutine
  subroutine mailboxes
    do i = 1, 2
      call pvmfinitsend(PVMDEFAULT, buffer)
      call pvmfpack(INTEGER4, 10 * i, 1, 1, info)
      call pvmfputinfo('box', buffer, PvmMboxMultiInstance, info)
      call must(info == i - 1)
    end do
    call pvmfinsert('other', 3, 33, info)
    call must(info == 3)
    call pvmflookup('other', 3, number, info)
    call must(number == 33)
    classes = -1
    call pvmfgetmboxinfo('*', name, classes, entries, indices, owners, flags, info)
    call must(info == PvmOk .and. classes == 2 .and. name == 'box' .and. entries == 2)
    call must(all(indices(1:2) == [0, 1]) .and. all(owners(1:2) == tid) .and. flags(2) == PvmMboxMultiInstance)
    call pvmfgetmboxinfo('*', name, classes, entries, indices, owners, flags, info)
    call must(name == 'other' .and. entries == 1 .and. indices(1) == 3)
    call pvmfgetmboxinfo('*', name, classes, entries, indices, owners, flags, info)
    call must(info == PvmNotFound .and. info == PvmNoEntry) ! that was all
    call pvmfgetmboxinfo('^o', name, classes, entries, indices, owners, flags, info)
    call must(info == PvmOk .and. classes == 1 .and. name == 'other')
    info = -1 ! from the first one on
    call pvmfgetmboxinfo('^b', name, classes, entries, indices, owners, flags, info)
    call must(info == PvmOk .and. classes == 1 .and. name == 'box')
    classes = -1
    call pvmfgetmboxinfo('nothing', name, classes, entries, indices, owners, flags, info)
    call must(info == PvmNotFound .and. classes == 0)
    call pvmfrecvinfo('box', 1, PvmMboxDefault, buffer)
    call must(buffer > 0)
    call pvmfunpack(INTEGER4, number, 1, 1, info)
    call must(number == 20)
    call pvmfdelinfo('box', 1, PvmMboxDefault, info)
    call must(info == PvmOk)
    call pvmfdelete('other', 3, info)
    call must(info == PvmOk)
    call pvmfdelete('other', 3, info)
    call must(info == PvmNotFound)
  end subroutine
  subroutine machine
    call pvmfconfig(hosts, archs, daemon, name, arch, speed, info)
    call must(info == PvmOk .and. archs == 1)
    call pvmfarchcode(arch, info)
    call must(info >= 0)
    call system_clock(seconds)
    call pvmfsleep(2)
    call system_clock(us)
    call must(us - seconds == 2000)
    call pvmfhostsync(daemon, seconds, us, delta_seconds, delta_us, info)
    call must(info == PvmOk .and. seconds > 0 .and. delta_seconds == 0 .and. delta_us == 0)
    call pvmfconfig(hosts, archs, daemon, other_name, arch, speed, info)
    call pvmfdelhost(other_name, info)
    call must(info == 1)
    call pvmfmstat(other_name, info)
    call must(info == PvmNoHost)
    call pvmfaddhost(other_name, info)
    call must(info == 1)
    call pvmfaddhost(other_name, info)
    call must(info == PvmDupHost)
    ! Of tasks on a host that has none.
    call pvmftasks(daemon, number, i, context, before, speed, arch, info)
    call must(info == PvmOk .and. number == 0)
    call pvmfmstat(other_name, info)
    call must(info == PvmOk)
    call pvmfgetopt(PvmAutoErr, i)
    call must(i == 0)
    call pvmfserror(1, before)
    call must(before == 0)
    call pvmfserror(0, before)
    call must(before == 1)
    call pvmfgetopt(PvmRoute, i)
    call pvmfadvise(PvmRouteDirect, info)
    call must(info == PvmOk .and. i > 0)
    call must(PVMSOUTPUTTID == PvmSelfOutputTid .and. PVMSTRACEOPTIONS == PvmSelfTraceOptions)
  end subroutine
  subroutine contexts
    call pvmfnewcontext(context)
    call must(context > 0)
    call pvmfsetcontext(context, before)
    call must(before == PvmBaseContext)
    call pvmffreecontext(context, info)
    call must(info == PvmOk)
    call pvmfgetcontext(i)
    call must(i == PvmBaseContext)
  end subroutine
  ! What a child prints comes here; and then nobody else is left.
  subroutine ends
    call pvmfcatchout(1, info)
    call must(info == PvmOk)
    call pvmfcatchout(0, info)
    call must(info == PvmOk)
    call pvmfspawn(path, PVMTASKDEFAULT, '*', 1, child, started)
    call must(started == 1)
    call pvmfhalt(info)
    call must(info == PvmOk)
  end subroutine
  subroutine must(holds)
    logical, intent(in) :: holds
    if (.not. holds) error stop 'wrong'
  end subroutine
end program
