! Files on one unit number, of each rank its own; lists, formats, direct access and internal files on them.
program units
  use mpi
  implicit none
  integer :: me, ierror, i, number, sum
  character(len=40) :: name, line
  real(8) :: value
  logical :: is_open, right
  namelist /settings/ number, value
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  write (name, '(a, i0)') 'file-of-', me
  open (unit=10, file=name, status='replace', action='readwrite')
  do i = 1, 5
    write (10, *) me * 100 + i
    call sleep(1)
  end do
  rewind (10)
  sum = 0
  do i = 1, 5
    read (10, *) number
    sum = sum + number
    call sleep(1)
  end do
  read (10, *, iostat=ierror) number
  right = sum == 500 * me + 15 .and. ierror == -1
  inquire (unit=11, opened=is_open)
  right = right .and. .not. is_open
  if (me == 1) open (11, status='scratch', form='unformatted', access='direct', recl=8)
  call sleep(1)
  inquire (unit=11, opened=is_open)
  right = right .and. (is_open .eqv. me == 1)
  if (me == 1) then
    write (11, rec=3) 2.5d0
    read (11, rec=3) value
    right = right .and. value == 2.5d0
  end if
  close (10, status='delete')
  number = me
  value = 0.5d0
  open (newunit=i, status='scratch')
  write (i, nml=settings)
  rewind (i)
  number = -1
  read (i, nml=settings)
  right = right .and. number == me
  read (name(9:), '(i8)') number
  write (line, '(a, i4.4, f6.2, es11.3)') 'n', number, 2.5, 1234.5
  right = right .and. line(:2) == 'n0' .and. line(6:) == '  2.50  1.234E+03' .and. verify(line(3:5), '0123456789') == 0
  print '(i0, a, l1)', me, ' right: ', right
  call MPI_Finalize(ierror)
end program
