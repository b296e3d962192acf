! ranks: 2
! interfaces: f08
#include "checks.inc"

! Array sections whose elements lie apart, in calls of every sort.
program sections
#include "mpi_here.inc"
  integer :: me, other, i, j
  integer, asynchronous :: a(6, 8), b(6, 8), expected(6, 8)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  other = 1 - me
  call blocking
  call nonblocking
  call persistent
  call collectives
  call other_shapes
  call at_a_window
  call MPI_Finalize()
  call finish(me)
contains
  subroutine fill
    a = reshape([((10 * i + j + 100 * me, i = 1, 6), j = 1, 8)], [6, 8])
    b = 0
    expected = 0
  end subroutine

  ! What the other rank's `a` is.
  elemental integer function theirs(row, column)
    integer, intent(in) :: row, column
    theirs = 10 * row + column + 100 * other
  end function

  subroutine blocking
    type(MPI_Status) :: got
    integer :: count
    call fill
    call MPI_Sendrecv(a(2, :), 8, MPI_INTEGER, other, 1, b(5, :), 8, MPI_INTEGER, other, 1, MPI_COMM_WORLD, got)
    expected(5, :) = theirs(2, [(i, i = 1, 8)])
    CHECK(all(b == expected))
    call MPI_Get_count(got, MPI_INTEGER, count)
    CHECK(count == 8)
    call fill
    if (me == 0) then
      call MPI_Send(a(::2, 8:1:-3), 9, MPI_INTEGER, 1, 2, MPI_COMM_WORLD)
    else
      call MPI_Recv(b(2::2, 1:3), 9, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
      expected(2::2, 1) = theirs([1, 3, 5], 8)
      expected(2::2, 2) = theirs([1, 3, 5], 5)
      expected(2::2, 3) = theirs([1, 3, 5], 2)
      CHECK(all(b == expected))
    end if
  end subroutine

  subroutine nonblocking
    type(MPI_Request) :: requests(4)
    call fill
    call MPI_Irecv(b(3, :), 8, MPI_INTEGER, other, 1, MPI_COMM_WORLD, requests(1))
    call MPI_Irecv(b(5, 2:6:2), 2, MPI_INTEGER, other, 2, MPI_COMM_WORLD, requests(2))
    call MPI_Isend(a(1, :), 8, MPI_INTEGER, other, 1, MPI_COMM_WORLD, requests(3))
    call MPI_Issend(a(6, 8:1:-1), 2, MPI_INTEGER, other, 2, MPI_COMM_WORLD, requests(4))
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE)
    expected(3, :) = theirs(1, [(i, i = 1, 8)])
    expected(5, 2) = theirs(6, 8)
    expected(5, 4) = theirs(6, 7)
    CHECK(all(b == expected))
    call with_gaps
  end subroutine

  ! A datatype that takes every other one of the elements of a section.
  subroutine with_gaps
    type(MPI_Request) :: requests(2)
    type(MPI_Datatype) :: every_other
    call fill
    call MPI_Type_vector(4, 1, 2, MPI_INTEGER, every_other)
    call MPI_Type_commit(every_other)
    call MPI_Irecv(b(3, :), 1, every_other, other, 1, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(a(1, 1:7), 1, every_other, other, 1, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    expected(3, ::2) = theirs(1, [1, 3, 5, 7])
    CHECK(all(b == expected))
    call MPI_Type_free(every_other)
  end subroutine

  subroutine persistent
    type(MPI_Request) :: requests(2)
    integer :: round
    call fill
    call MPI_Recv_init(b(2:4, 3:7:4), 6, MPI_INTEGER, other, 1, MPI_COMM_WORLD, requests(1))
    call MPI_Send_init(a(1:3, 1:2), 6, MPI_INTEGER, other, 1, MPI_COMM_WORLD, requests(2))
    do round = 1, 2
      a = a + 1
      call MPI_Startall(2, requests)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
      expected(2:4, 3) = theirs([1, 2, 3], 1) + round
      expected(2:4, 7) = theirs([1, 2, 3], 2) + round
      CHECK(all(b == expected))
    end do
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2))
    call persistent_collective
  end subroutine

  subroutine persistent_collective
    type(MPI_Request) :: request
    integer :: round
    call fill
    call MPI_Allreduce_init(a(1, :), b(2, :), 8, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request)
    do round = 1, 2
      a = a + 1
      call MPI_Start(request)
      call MPI_Wait(request, MPI_STATUS_IGNORE)
      expected(2, :) = 120 + 2 * [(i, i = 1, 8)] + 2 * round
      CHECK(all(b == expected))
    end do
    call MPI_Request_free(request)
  end subroutine

  subroutine collectives
    type(MPI_Request) :: request
    call fill
    call MPI_Bcast(a(4, ::3), 3, MPI_INTEGER, 1, MPI_COMM_WORLD)
    CHECK(all(a(4, ::3) == [141, 144, 147]) .and. a(4, 2) == 42 + 100 * me)
    call fill
    call MPI_Ibcast(a(4, ::3), 3, MPI_INTEGER, 1, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    CHECK(all(a(4, ::3) == [141, 144, 147]) .and. a(4, 2) == 42 + 100 * me)
    call fill
    call MPI_Allreduce(a(1, :), b(2, :), 8, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    expected(2, :) = 120 + 2 * [(i, i = 1, 8)]
    CHECK(all(b == expected))
    call MPI_Iallreduce(a(1, :), b(4, :), 8, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    expected(4, :) = 110 + [(i, i = 1, 8)]
    CHECK(all(b == expected))
    call MPI_Allgather(a(1, 1:4:3), 2, MPI_INTEGER, b(6, 1:8:2), 2, MPI_INTEGER, MPI_COMM_WORLD)
    expected(6, 1:8:2) = [11, 14, 111, 114]
    CHECK(all(b == expected))
    call fill
    b(3, 1:2) = [me, 10 + me]
    call MPI_Ialltoall(MPI_IN_PLACE, 1, MPI_INTEGER, b(3, 1:2), 1, MPI_INTEGER, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    CHECK(all(b(3, 1:2) == merge([0, 1], [10, 11], me == 0)))
  end subroutine

  subroutine other_shapes
    type :: point
      real(8) :: x, y, z
    end type
    type(point) :: points(3)
    complex(8) :: wave(4, 4)
    character(len=3) :: words(4)
    real(8), pointer :: every_other(:)
    real(8), target :: line(10)
    integer :: position
    character :: packed(24)
    points = [(point(i, 10 * i, 100 * i), i = 1, 3)]
    if (me == 1) points%y = 0
    call MPI_Bcast(points%y, 3, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
    CHECK(all(points%y == [10, 20, 30]) .and. points(3)%x == 3)
    wave = me
    call MPI_Bcast(wave(2, :)%im, 4, MPI_REAL8, 1, MPI_COMM_WORLD)
    wave(3, :) = cmplx(me + 1, 2, 8)
    call MPI_Bcast(wave(3, :), 4, MPI_DOUBLE_COMPLEX, 0, MPI_COMM_WORLD)
    CHECK(all(wave(3, :) == cmplx(1, 2, 8)) .and. wave(4, 1) == me)
    words = ['abc', 'def', 'ghi', 'jkl']
    if (me == 0) words(::3) = 'xyz'
    call MPI_Bcast(words(::3)(2:3), 4, MPI_CHARACTER, 0, MPI_COMM_WORLD)
    CHECK(words(4) == merge('xyz', 'jyz', me == 0) .and. words(2) == 'def')
    line = me
    every_other => line(1::2)
    call MPI_Bcast(every_other, 5, MPI_REAL8, 1, MPI_COMM_WORLD)
    CHECK(sum(line) == 5 + 5 * me)
    position = 0
    call MPI_Pack(a(1, ::2), 4, MPI_INTEGER, packed, 24, position, MPI_COMM_WORLD)
    call fill
    position = 0
    call MPI_Unpack(packed, 24, position, b(2, ::2), 4, MPI_INTEGER, MPI_COMM_WORLD)
    CHECK(all(b(2, ::2) == a(1, ::2)) .and. b(2, 2) == 0)
  end subroutine

  ! Datatypes whose elements are more than one of the section's, and such with gaps.
  subroutine at_a_window
    integer(MPI_ADDRESS_KIND), parameter :: nowhere = 0
    integer, asynchronous :: there(8)
    type(MPI_Win) :: window
    type(MPI_Datatype) :: two, apart
    call fill
    there = 0
    call MPI_Type_contiguous(2, MPI_INTEGER, two)
    call MPI_Type_vector(2, 1, 3, MPI_INTEGER, apart)
    call MPI_Type_commit(two)
    call MPI_Type_commit(apart)
    call MPI_Win_create(there, 32 + nowhere, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window)
    call MPI_Win_fence(0, window)
    call MPI_Accumulate(a(2, :), 4, two, other, nowhere, 8, MPI_INTEGER, MPI_SUM, window)
    call MPI_Accumulate(a(1, :), 1, apart, other, nowhere, 2, MPI_INTEGER, MPI_SUM, window)
    call MPI_Win_fence(0, window)
    CHECK(all(there(3:) == theirs(2, [(j, j = 3, 8)])))
    CHECK(all(there(:2) == theirs(2, [1, 2]) + theirs(1, [1, 4])))
    call MPI_Get_accumulate(a(1, :), 1, apart, b(3, :), 1, two, other, nowhere, 2, MPI_INTEGER, MPI_REPLACE, window)
    call MPI_Win_fence(0, window)
    CHECK(all(there(:2) == theirs(1, [1, 4])) .and. b(3, 3) == 0)
    CHECK(all(b(3, :2) == a(2, :2) + a(1, 1:4:3)))
    call MPI_Fetch_and_op(a(4, :), b(4, :), MPI_INTEGER, other, 4 + nowhere, MPI_SUM, window)
    call MPI_Compare_and_swap(a(5, :), a(2, 6:8), b(5, :), MPI_INTEGER, other, 5 + nowhere, window)
    call MPI_Win_fence(0, window)
    CHECK(there(5) == theirs(2, 5) + theirs(4, 1) .and. there(6) == theirs(5, 1))
    CHECK(b(4, 1) == a(2, 5) .and. b(5, 1) == a(2, 6))
    call MPI_Win_free(window)
    call MPI_Type_free(two)
    call MPI_Type_free(apart)
  end subroutine
end program
