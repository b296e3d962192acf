! What each rank has for itself. Every sleep lets all other ranks run.
module kept
  implicit none
  integer :: counter = 5
  character(len=8), allocatable :: words(:)
end module

block data start
  common /shared_by_name/ numbers, total
  real :: numbers(4), total
  data numbers /1., 2., 3., 4./, total /0./
end block data

program private_variables
  use mpi
  use kept
  implicit none
  common /shared_by_name/ numbers, total
  real :: numbers(4), total
  integer :: me, ierror, i
  logical :: right
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  right = counter == 5 .and. sum(numbers) == 10 .and. calls() == 1
  counter = me
  numbers = me
  allocate (words(me + 1))
  words = achar(65 + me)
  do i = 1, 3
    call sleep(1)
    total = total + numbers(i)
  end do
  right = right .and. counter == me .and. total == 3 * me .and. size(words) == me + 1 .and. calls() == 2
  right = right .and. all(words == achar(65 + me))
  print '(i0, a, l1)', me, ' right: ', right
  call MPI_Finalize(ierror)
contains
  integer function calls()
    integer, save :: so_far = 0
    so_far = so_far + 1
    calls = so_far
  end function
end program
