! ranks: 2
! interfaces: mpi f08
! flags: -O2
#include "checks.inc"

! What MPI stores after the call that was given a variable, the compiler has to look up again: in local variables that
! are neither targets nor asynchronous, as programs have them.
program lasting_buffers
#include "mpi_here.inc"
  integer :: me, other, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  other = 1 - me
  call nonblocking
  call persistent
  call window
  call absolute_address
  call MPI_Finalize(ierror)
  call finish(me)
contains
  subroutine nonblocking
    integer :: in(10), sum
    OF_TYPE(MPI_Request) :: requests(2)
    in = -1
    sum = -1
    call MPI_Irecv(in, 10, MPI_INTEGER, other, 1, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Iallreduce(me, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(2), ierror)
    call MPI_Send([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 10, MPI_INTEGER, other, 1, MPI_COMM_WORLD, ierror)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierror)
    call MPI_Wait(requests(2), MPI_STATUS_IGNORE, ierror)
    CHECK(in(4) == 4)
    CHECK(sum == 1)
  end subroutine

  subroutine persistent
    integer :: in, out, i
    OF_TYPE(MPI_Request) :: requests(2)
    in = -1
    call MPI_Send_init(out, 1, MPI_INTEGER, other, 2, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Recv_init(in, 1, MPI_INTEGER, other, 2, MPI_COMM_WORLD, requests(2), ierror)
    do i = 1, 3
      out = 10 * i + me
      call MPI_Startall(2, requests, ierror)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
      CHECK(in == 10 * i + other)
    end do
    call MPI_Request_free(requests(1), ierror)
    call MPI_Request_free(requests(2), ierror)
  end subroutine

  subroutine window
    integer :: cells(4), got
    OF_TYPE(MPI_Win) :: win
    cells = -1
    got = -2
    call MPI_Win_create(cells, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)
    call MPI_Win_fence(0, win, ierror)
    call MPI_Put(me, 1, MPI_INTEGER, other, 2_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierror)
    call MPI_Get(got, 1, MPI_INTEGER, other, 3_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierror)
    call MPI_Win_fence(0, win, ierror)
    CHECK(cells(3) == other)
    CHECK(got == -1)
    cells(4) = 7 + me
    call MPI_Win_fence(0, win, ierror)
    call MPI_Get(got, 1, MPI_INTEGER, other, 3_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierror)
    call MPI_Win_fence(0, win, ierror)
    CHECK(got == 7 + other)
    call MPI_Win_free(win, ierror)
  end subroutine

  subroutine absolute_address
    integer :: in
    integer(kind=MPI_ADDRESS_KIND) :: address(1)
    OF_TYPE(MPI_Datatype) :: there
    in = -1
    call MPI_Get_address(in, address(1), ierror)
    call MPI_Type_create_hindexed(1, [1], address, MPI_INTEGER, there, ierror)
    call MPI_Type_commit(there, ierror)
    call MPI_Sendrecv(me, 1, MPI_INTEGER, other, 3, MPI_BOTTOM, 1, there, other, 3, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE, ierror)
    CHECK(in == other)
    call MPI_Type_free(there, ierror)
  end subroutine
end program
