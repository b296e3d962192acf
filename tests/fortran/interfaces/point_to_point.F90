! ranks: 2
#include "checks.inc"

program point_to_point
#include "mpi_here.inc"
  integer :: me, other, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  other = 1 - me
  call blocking
  call nonblocking
  call completions
  call persistent
  call probes
  call both_ways
  call buffers_of_bsend
  call constants
  call MPI_Finalize(ierror)
  call finish(me)
contains
  subroutine blocking
    STATUS :: got
    integer :: sent(3), received(5), count
    sent = [10, 20, 30] + me
    if (me == 0) then
      call MPI_Send(sent, 3, MPI_INTEGER, other, 1, MPI_COMM_WORLD, ierror)
      CHECK(ierror == MPI_SUCCESS)
      call MPI_Ssend(sent, 2, MPI_INTEGER, other, 2, MPI_COMM_WORLD, ierror)
      CHECK(ierror == MPI_SUCCESS)
      call MPI_Recv(received, 0, MPI_INTEGER, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
      call MPI_Rsend(sent(2), 1, MPI_INTEGER, other, 4, MPI_COMM_WORLD, ierror)
    else
      received = 0
      call MPI_Recv(received, 5, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, got, ierror)
      CHECK(SOURCE_OF(got) == 0 .and. TAG_OF(got) == 1)
      CHECK(all(received == [10, 20, 30, 0, 0]))
      call MPI_Get_count(got, MPI_INTEGER, count, ierror)
      CHECK(count == 3)
      call MPI_Get_count(got, MPI_DOUBLE_PRECISION, count, ierror)
      CHECK(count == MPI_UNDEFINED)
      call MPI_Recv(received, 2, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
      CHECK(all(received(1:2) == [10, 20]))
      call MPI_Send(received, 0, MPI_INTEGER, other, 3, MPI_COMM_WORLD, ierror)
      call MPI_Recv(received, 1, MPI_INTEGER, 0, 4, MPI_COMM_WORLD, got, ierror)
      CHECK(received(1) == 20)
    end if
  end subroutine

  subroutine nonblocking
    OF_TYPE(MPI_Request) :: requests(4)
    STATUSES(4) :: got
    integer, asynchronous :: sent(4), received(4)
    integer :: i
    sent = [1, 2, 3, 4] * (me + 1)
    received = 0
    do i = 1, 4
      call MPI_Irecv(received(i), 1, MPI_INTEGER, other, i, MPI_COMM_WORLD, requests(i), ierror)
    end do
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call send_in_all_modes(sent)
    call MPI_Waitall(4, requests, got, ierror)
    CHECK(all(received == [1, 2, 3, 4] * (other + 1)))
    do i = 1, 4
      CHECK(requests(i) == MPI_REQUEST_NULL)
      CHECK(TAG_AT(got, i) == i)
    end do
  end subroutine

  subroutine send_in_all_modes(sent)
    integer, intent(in) :: sent(4)
    OF_TYPE(MPI_Request) :: requests(4)
    character :: space(1000)
    integer :: size
    call MPI_Buffer_attach(space, 1000, ierror)
    call MPI_Isend(sent(1), 1, MPI_INTEGER, other, 1, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Issend(sent(2), 1, MPI_INTEGER, other, 2, MPI_COMM_WORLD, requests(2), ierror)
    call MPI_Irsend(sent(3), 1, MPI_INTEGER, other, 3, MPI_COMM_WORLD, requests(3), ierror)
    call MPI_Ibsend(sent(4), 1, MPI_INTEGER, other, 4, MPI_COMM_WORLD, requests(4), ierror)
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, ierror)
    CHECK(all(requests == MPI_REQUEST_NULL) .and. .not. any(requests /= MPI_REQUEST_NULL))
    call detach(size)
    CHECK(size == 1000)
  end subroutine

  subroutine detach(size)
#if defined(BY_F08)
    use, intrinsic :: iso_c_binding
    type(c_ptr) :: where
    integer, intent(out) :: size
    call MPI_Buffer_detach(where, size)
    CHECK(c_associated(where))
#else
    integer, intent(out) :: size
    integer :: where
    call MPI_Buffer_detach(where, size, ierror)
    CHECK(ierror == MPI_SUCCESS .and. size >= MPI_BSEND_OVERHEAD)
#endif
  end subroutine

  subroutine completions
    OF_TYPE(MPI_Request) :: requests(3), none
    STATUS :: got
    STATUSES(3) :: several
    integer, asynchronous :: received(3)
    integer :: i, index, count, indices(3)
    logical :: flag
    if (me == 1) then
      call MPI_Recv(received, 0, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
      do i = 3, 1, -1
        call MPI_Send(i * 7, 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, ierror)
        call MPI_Recv(received, 0, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
      end do
      do i = 1, 3
        call MPI_Send(i * 7, 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, ierror)
      end do
      return
    end if
    do i = 1, 3
      call MPI_Irecv(received(i), 1, MPI_INTEGER, 1, i, MPI_COMM_WORLD, requests(i), ierror)
    end do
    call MPI_Test(requests(1), flag, got, ierror)
    CHECK(.not. flag)
    call MPI_Testall(3, requests, flag, several, ierror)
    CHECK(.not. flag)
    call MPI_Testany(3, requests, index, flag, got, ierror)
    CHECK(.not. flag .and. index == MPI_UNDEFINED)
    call MPI_Testsome(3, requests, count, indices, several, ierror)
    CHECK(count == 0)
    call MPI_Send(0, 0, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierror)
    call MPI_Waitany(3, requests, index, got, ierror)
    CHECK(index == 3 .and. received(3) == 21 .and. TAG_OF(got) == 3)
    call MPI_Send(0, 0, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierror)
    call MPI_Waitsome(3, requests, count, indices, several, ierror)
    CHECK(count == 1 .and. indices(1) == 2 .and. received(2) == 14 .and. TAG_AT(several, 1) == 2)
    call MPI_Send(0, 0, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierror)
    flag = .false.
    do while (.not. flag)
      call MPI_Request_get_status(requests(1), flag, got, ierror)
    end do
    CHECK(requests(1) /= MPI_REQUEST_NULL)
    call MPI_Testany(3, requests, index, flag, got, ierror)
    CHECK(flag .and. index == 1 .and. received(1) == 7)
    call MPI_Testany(3, requests, index, flag, got, ierror)
    CHECK(flag .and. index == MPI_UNDEFINED)
    call MPI_Waitsome(3, requests, count, indices, several, ierror)
    CHECK(count == MPI_UNDEFINED)
    call MPI_Send(0, 0, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierror)
    do i = 1, 3
      call MPI_Irecv(received(i), 1, MPI_INTEGER, 1, i, MPI_COMM_WORLD, requests(i), ierror)
    end do
    call MPI_Wait(requests(2), got, ierror)
    CHECK(received(2) == 14)
    none = MPI_REQUEST_NULL
    call MPI_Wait(none, MPI_STATUS_IGNORE, ierror)
    flag = .false.
    do while (.not. flag)
      call MPI_Test(requests(1), flag, MPI_STATUS_IGNORE, ierror)
    end do
    flag = .false.
    do while (.not. flag)
      call MPI_Testall(3, requests, flag, MPI_STATUSES_IGNORE, ierror)
    end do
    CHECK(all(received == [7, 14, 21]))
    call MPI_Irecv(received(1), 1, MPI_INTEGER, 1, 99, MPI_COMM_WORLD, requests(1), ierror)
    call cancel_without_change(requests(1))
    call MPI_Wait(requests(1), got, ierror)
    call MPI_Test_cancelled(got, flag, ierror)
    CHECK(flag)
    call MPI_Isend(received, 1, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Request_free(requests(1), ierror)
    CHECK(requests(1) == MPI_REQUEST_NULL)
  end subroutine

  subroutine cancel_without_change(request)
    OF_TYPE(MPI_Request), intent(in) :: request
    call MPI_Cancel(request, ierror)
  end subroutine

  subroutine persistent
    OF_TYPE(MPI_Request) :: requests(8)
    integer, asynchronous :: sent(4), received(4)
    character :: space(1000)
    integer :: round, i, size
    call MPI_Buffer_attach(space, 1000, ierror)
    call MPI_Send_init(sent(1), 1, MPI_INTEGER, other, 1, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Ssend_init(sent(2), 1, MPI_INTEGER, other, 2, MPI_COMM_WORLD, requests(2), ierror)
    call MPI_Bsend_init(sent(3), 1, MPI_INTEGER, other, 3, MPI_COMM_WORLD, requests(3), ierror)
    call MPI_Rsend_init(sent(4), 1, MPI_INTEGER, other, 4, MPI_COMM_WORLD, requests(4), ierror)
    do i = 1, 4
      CHECK(requests(i) /= MPI_REQUEST_NULL)
      call MPI_Recv_init(received(i), 1, MPI_INTEGER, other, i, MPI_COMM_WORLD, requests(4 + i), ierror)
      CHECK(requests(4 + i) /= MPI_REQUEST_NULL)
    end do
    do round = 1, 2
      sent = [1, 2, 3, 4] * round + me
      call MPI_Startall(4, requests(5:8), ierror)
      CHECK(ierror == MPI_SUCCESS)
      call MPI_Barrier(MPI_COMM_WORLD, ierror)
      do i = 1, 4
        call MPI_Start(requests(i), ierror)
      end do
      call MPI_Waitall(8, requests, MPI_STATUSES_IGNORE, ierror)
      CHECK(all(received == [1, 2, 3, 4] * round + other))
    end do
    do i = 1, 8
      call MPI_Request_free(requests(i), ierror)
      CHECK(requests(i) == MPI_REQUEST_NULL)
    end do
    call detach(size)
  end subroutine

  subroutine probes
    OF_TYPE(MPI_Message) :: message
    OF_TYPE(MPI_Request) :: request
    STATUS :: got
    real, asynchronous :: values(4)
    integer :: count
    logical :: flag
    if (me == 0) then
      values = [1.5, 2.5, 3.5, 4.5]
      do count = 1, 4
        call MPI_Send(values, count, MPI_REAL, 1, count, MPI_COMM_WORLD, ierror)
      end do
      return
    end if
    call MPI_Probe(0, MPI_ANY_TAG, MPI_COMM_WORLD, got, ierror)
    call MPI_Get_count(got, MPI_REAL, count, ierror)
    CHECK(count == 1 .and. TAG_OF(got) == 1)
    call MPI_Recv(values, 1, MPI_REAL, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    flag = .false.
    do while (.not. flag)
      call MPI_Iprobe(0, 2, MPI_COMM_WORLD, flag, got, ierror)
    end do
    CHECK(SOURCE_OF(got) == 0)
    call MPI_Mprobe(0, 2, MPI_COMM_WORLD, message, got, ierror)
    call MPI_Mrecv(values, 2, MPI_REAL, message, got, ierror)
    CHECK(message == MPI_MESSAGE_NULL .and. values(2) == 2.5)
    call MPI_Mprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, message, got, ierror)
    call MPI_Imrecv(values, 3, MPI_REAL, message, request, ierror)
    call MPI_Wait(request, got, ierror)
    CHECK(values(3) == 3.5)
    flag = .false.
    do while (.not. flag)
      call MPI_Improbe(0, 4, MPI_COMM_WORLD, flag, message, got, ierror)
    end do
    call MPI_Mrecv(values, 4, MPI_REAL, message, MPI_STATUS_IGNORE, ierror)
    CHECK(values(4) == 4.5)
    call MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, message, got, ierror)
    CHECK(message == MPI_MESSAGE_NO_PROC .and. SOURCE_OF(got) == MPI_PROC_NULL)
  end subroutine

  subroutine both_ways
    STATUS :: got
    double precision :: mine, others
    mine = me + 0.5d0
    call MPI_Sendrecv(mine, 1, MPI_DOUBLE_PRECISION, other, 5, others, 1, MPI_DOUBLE_PRECISION, other, 5, &
                      MPI_COMM_WORLD, got, ierror)
    CHECK(others == other + 0.5d0)
    call MPI_Sendrecv_replace(mine, 1, MPI_DOUBLE_PRECISION, other, 6, other, 6, MPI_COMM_WORLD, got, ierror)
    CHECK(mine == other + 0.5d0 .and. TAG_OF(got) == 6)
    call both_ways_at_once
  end subroutine

  subroutine both_ways_at_once
    STATUS :: got
    OF_TYPE(MPI_Request) :: request
    double precision, asynchronous :: mine, others
    mine = me + 0.5d0
    call MPI_Isendrecv(mine, 1, MPI_DOUBLE_PRECISION, other, 7, others, 1, MPI_DOUBLE_PRECISION, other, 7, &
                       MPI_COMM_WORLD, request, ierror)
    call MPI_Wait(request, got, ierror)
    CHECK(others == other + 0.5d0 .and. TAG_OF(got) == 7 .and. SOURCE_OF(got) == other)
    call MPI_Isendrecv_replace(mine, 1, MPI_DOUBLE_PRECISION, other, 8, other, 8, MPI_COMM_WORLD, request, ierror)
    call MPI_Wait(request, got, ierror)
    CHECK(mine == other + 0.5d0 .and. TAG_OF(got) == 8)
  end subroutine

  subroutine buffers_of_bsend
    character :: space(MPI_BSEND_OVERHEAD + 4)
    integer :: value, size
    call MPI_Buffer_attach(space, MPI_BSEND_OVERHEAD + 4, ierror)
    call MPI_Bsend(me, 1, MPI_INTEGER, other, 1, MPI_COMM_WORLD, ierror)
    call MPI_Recv(value, 1, MPI_INTEGER, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    CHECK(value == other)
    call detach(size)
    CHECK(size == MPI_BSEND_OVERHEAD + 4)
  end subroutine

  subroutine constants
    CHECK(MPI_STATUS_SIZE == 6 .and. MPI_ADDRESS_KIND == 8 .and. MPI_OFFSET_KIND == 8 .and. MPI_COUNT_KIND == 8)
#if defined(BY_F08)
    CHECK(MPI_SUBARRAYS_SUPPORTED .and. MPI_ASYNC_PROTECTS_NONBLOCKING)
#else
    CHECK(.not. MPI_SUBARRAYS_SUPPORTED .and. .not. MPI_ASYNC_PROTECTS_NONBLOCKING)
#endif
  end subroutine
end program
