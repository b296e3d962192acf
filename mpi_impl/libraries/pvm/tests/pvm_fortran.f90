! One task and three that it starts: every sort of call from Fortran.
program pvm_fortran
  implicit none
  include 'fpvm3.h'
  external :: PvmSum ! a program declares what it gives to pvmfreduce
  integer :: tid, parent, tids(3), started, info, buffer, i, instance, bytes, tag, source, hosts, archs, daemon, speed
  integer :: number, numbers(4), tasks, task, ptid, host, flag, handler, context, wait_id, encoding, checksum, to
  integer :: handled = 0
  character(64) :: name, arch
  character(1024) :: path
  character(8) :: text
  double precision :: value(2), sums(2)
  call pvmfmytid(tid)
  call pvmfparent(parent)
  if (parent == PvmNoParent) then
    call get_command_argument(0, path)
    call pvmfspawn(path, PVMTASKDEFAULT, '*', 3, tids, started)
    call must(started == 3)
  end if
  call pvmfjoingroup('all', instance)
  call must(instance >= 0)
  call pvmfbarrier('all', 4, info)
  call must(info == PVMOK)
  if (parent == PvmNoParent) then
    call pvmfconfig(hosts, archs, daemon, name, arch, speed, info)
    call must(info == PVMOK .and. hosts >= 4 .and. len_trim(name) > 0 .and. len_trim(arch) > 0)
    call pvmftidtohost(tid, i)
    call must(i == daemon)
    call pvmftidtoh(tid, i)
    call must(i == daemon)
    do number = 2, hosts
      call pvmfconfig(hosts, archs, daemon, name, arch, speed, info)
      call must(i /= daemon)
    end do
    call pvmfconfig(hosts, archs, daemon, name, arch, speed, info)
    call must(i == daemon) ! the first again
    call pvmfconfig(hosts, archs, daemon, name, arch, speed, info)
    hosts = -1
    call pvmfconfig(hosts, archs, daemon, name, arch, speed, info)
    call must(i == daemon .and. hosts >= 4)
    call pvmftasks(0, tasks, task, ptid, host, flag, name, info)
    call must(info == PVMOK .and. tasks == 4 .and. task == tid)
    call pvmftasks(0, tasks, task, ptid, host, flag, name, info)
    call must(tasks == 4 .and. any(tids == task) .and. ptid == tid)
    tasks = -1
    call pvmftasks(0, tasks, task, ptid, host, flag, name, info)
    call must(tasks == 4 .and. task == tid .and. name == ' ')
    call pvmfmstat(name(1:0)//'nothing', info)
    call must(info == PvmNoHost)
    numbers = [1, 2, 3, 4]
    call pvmfinitsend(PVMDATADEFAULT, buffer)
    call pvmfpack(INTEGER4, numbers, 2, 2, info)
    call pvmfpack(STRING, 'text', 4, 1, info)
    call pvmfpack(REAL8, [1.5d0, 2.5d0], 2, 1, info)
    call pvmfmcast(3, tids, 7, info)
    call must(info == PVMOK)
  else
    call pvmfrecv(parent, 7, buffer)
    call pvmfbufinfo(buffer, bytes, tag, source, info)
    call must(tag == 7 .and. source == parent .and. bytes == 8 + 4 + 5 + 16)
    numbers = 0
    call pvmfunpack(INTEGER4, numbers, 2, 1, info)
    call must(numbers(1) == 1 .and. numbers(2) == 3)
    call pvmfunpack(STRING, text, 8, 1, info)
    call must(text == 'text')
    call pvmfunpack(REAL8, value, 2, 1, info)
    call must(value(2) == 2.5d0)
    call pvmfsetopt(PVMAUTOERR, 0, i)
    call pvmfunpack(INTEGER4, number, 1, 1, info)
    call must(info == PvmNoData .and. i == 1)
    call pvmfsetopt(PVMAUTOERR, 1, i)
  end if
  value = [1d0, dble(instance)]
  sums = value
  call pvmfreduce(PvmSum, sums, 2, REAL8, 8, 'all', 0, info)
  call must(info == PVMOK)
  if (instance == 0) call must(sums(1) == 4 .and. sums(2) == 6)
  call pvmfbarrier('all', 4, info)
  call pvmftrecv(-1, 99, 0, 1000, buffer)
  call must(buffer == 0)
  call pvmfpsend(tid, 12, [tid], 1, INTEGER4, info)
  call pvmftrecv(tid, 12, -1, 0, buffer) ! however long it takes
  call must(buffer > 0)
  call pvmfpsend(tid, 9, [tid], 1, INTEGER4, info)
  call pvmfprecv(tid, 9, number, 1, INTEGER4, source, tag, i, info)
  call must(number == tid .and. source == tid .and. tag == 9 .and. i == 1)
  call pvmfgetcontext(context)
  call pvmfaddmhf(tid, 10, context, buffer, take, handler)
  call must(handler >= 0)
  call pvmfpsend(tid, 10, [41], 1, INTEGER4, info)
  call pvmfpsend(tid, 11, [42], 1, INTEGER4, info)
  call pvmfrecv(tid, 11, buffer)
  call must(handled == 41)
  call pvmfgetminfo(buffer, bytes, context, tag, wait_id, encoding, checksum, source, to, info)
  call must(info == PVMOK .and. tag == 11 .and. source == tid .and. to == tid)
  call pvmfsetmwid(buffer, 5, info)
  call pvmfgetmwid(buffer, wait_id)
  call must(wait_id == 5)
  call pvmfdelmhf(handler, info)
  call must(info == PVMOK)
  if (parent /= PvmNoParent) then
    call pvmfsiblings(number, 0, i)
    call must(number == 3 .and. i > 0)
    i = -7
    call pvmfsiblings(number, -1, i)
    call must(number == 3 .and. i == -7)
  end if
  call pvmfsetopt(PVMAUTOERR, 0, i)
  call pvmfsiblings(number, 3, i)
  call must(number == PvmNoTask)
  call pvmfstartpvmd('', 1, info)
  call must(info == PvmDupHost)
  call pvmfexit(info)
  if (parent == PvmNoParent) print '(a)', 'right'
contains
  integer function take(received)
    integer, intent(in) :: received
    integer :: status
    call must(received > 0)
    call pvmfunpack(INTEGER4, handled, 1, 1, status)
    take = status
  end function
  subroutine must(holds)
    logical, intent(in) :: holds
    if (.not. holds) error stop 'wrong'
  end subroutine
end program
