! Units opened by names that mean standard output and error.
program named
  implicit none
  open(unit=20, file='/dev/stdout')
  write(20, '(a)') 'opened'
  close(20)
  open(unit=6, file='/dev/stdout', action='write')
  print '(a)', 'print'
  open(unit=21, file='/dev/stderr')
  write(21, '(a)') 'to stderr'
end program named
