! ranks: 4
#include "checks.inc"

! Each with its nonblocking form and its persistent one.
program collectives
#include "mpi_here.inc"
  integer, parameter :: n = 4
  integer, parameter :: one(0:3) = 1, places(0:3) = [0, 1, 2, 3], in_bytes(0:3) = [0, 4, 8, 12]
  OF_TYPE(MPI_Request) :: request
  OF_TYPE(MPI_Datatype) :: types(0:3)
  integer :: me, i, ierror
  integer, asynchronous :: mine(0:3), all(0:3)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  types = MPI_INTEGER
  call from_one
  call from_all
  call reductions
  call neighbours
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  CHECK(ierror == MPI_SUCCESS)
  call MPI_Ibarrier(MPI_COMM_WORLD, request, ierror)
  call done
  call MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
  call twice
  call MPI_Finalize(ierror)
  call finish(me)
contains
  subroutine done
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    CHECK(ierror == MPI_SUCCESS)
  end subroutine

  ! Started again while inactive.
  subroutine twice
    call MPI_Start(request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    CHECK(ierror == MPI_SUCCESS .and. request /= MPI_REQUEST_NULL)
    call MPI_Start(request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    call MPI_Request_free(request, ierror)
    CHECK(ierror == MPI_SUCCESS .and. request == MPI_REQUEST_NULL)
  end subroutine

  subroutine fill
    mine = [(10 * me + i, i = 0, 3)]
    all = -1
  end subroutine

  subroutine from_one
    call fill
    call MPI_Bcast(mine, n, MPI_INTEGER, 2, MPI_COMM_WORLD, ierror)
    CHECK(sum(mine) == 86)
    call fill
    call MPI_Ibcast(mine, n, MPI_INTEGER, 1, MPI_COMM_WORLD, request, ierror)
    call done
    CHECK(sum(mine) == 46)
    call fill
    call MPI_Bcast_init(mine, n, MPI_INTEGER, 1, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    call twice
    CHECK(sum(mine) == 46)

    call fill
    call MPI_Gather(mine(1), 1, MPI_INTEGER, all, 1, MPI_INTEGER, 3, MPI_COMM_WORLD, ierror)
    call gathered(3)
    call MPI_Igather(mine(1), 1, MPI_INTEGER, all, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, request, ierror)
    call done
    call gathered(0)
    call MPI_Gather_init(mine(1), 1, MPI_INTEGER, all, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    call twice
    call gathered(0)
    call MPI_Gatherv(mine(1), 1, MPI_INTEGER, all, one, places, MPI_INTEGER, 1, MPI_COMM_WORLD, ierror)
    call gathered(1)
    call MPI_Igatherv(mine(1), 1, MPI_INTEGER, all, one, places, MPI_INTEGER, 2, MPI_COMM_WORLD, request, ierror)
    call done
    call gathered(2)
    call MPI_Gatherv_init(mine(1), 1, MPI_INTEGER, all, one, places, MPI_INTEGER, 2, MPI_COMM_WORLD, &
        MPI_INFO_NULL, request, ierror)
    call twice
    call gathered(2)
    if (me == 0) then
      all(0) = 1
      call MPI_Gather(MPI_IN_PLACE, 1, MPI_INTEGER, all, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
    else
      call MPI_Gather(mine(1), 1, MPI_INTEGER, all, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
    end if
    call gathered(0)

    call MPI_Scatter(mine, 1, MPI_INTEGER, all(2), 1, MPI_INTEGER, 3, MPI_COMM_WORLD, ierror)
    call scattered(3)
    call MPI_Iscatter(mine, 1, MPI_INTEGER, all(2), 1, MPI_INTEGER, 2, MPI_COMM_WORLD, request, ierror)
    call done
    call scattered(2)
    call MPI_Scatter_init(mine, 1, MPI_INTEGER, all(2), 1, MPI_INTEGER, 2, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    call twice
    call scattered(2)
    call MPI_Scatterv(mine, one, places, MPI_INTEGER, all(2), 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
    call scattered(0)
    call MPI_Iscatterv(mine, one, places, MPI_INTEGER, all(2), 1, MPI_INTEGER, 1, MPI_COMM_WORLD, request, ierror)
    call done
    call scattered(1)
    call MPI_Scatterv_init(mine, one, places, MPI_INTEGER, all(2), 1, MPI_INTEGER, 1, MPI_COMM_WORLD, &
        MPI_INFO_NULL, request, ierror)
    call twice
    call scattered(1)
  end subroutine

  subroutine gathered(root)
    integer, intent(in) :: root
    if (me == root) then
      CHECK(sum(all) == 64 .and. all(3) == 31)
    else
      CHECK(sum(all) == -4)
    end if
    all = -1
  end subroutine

  subroutine scattered(root)
    integer, intent(in) :: root
    CHECK(all(2) == 10 * root + me .and. sum(all) == all(2) - 3)
    all = -1
  end subroutine

  subroutine from_all
    call fill
    call MPI_Allgather(mine(2), 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, ierror)
    call same_everywhere
    call MPI_Iallgather(mine(2), 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, request, ierror)
    call done
    call same_everywhere
    call MPI_Allgather_init(mine(2), 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    call twice
    call same_everywhere
    call MPI_Allgatherv(mine(2), 1, MPI_INTEGER, all, one, places, MPI_INTEGER, MPI_COMM_WORLD, ierror)
    call same_everywhere
    call MPI_Iallgatherv(mine(2), 1, MPI_INTEGER, all, one, places, MPI_INTEGER, MPI_COMM_WORLD, request, ierror)
    call done
    call same_everywhere
    call MPI_Allgatherv_init(mine(2), 1, MPI_INTEGER, all, one, places, MPI_INTEGER, MPI_COMM_WORLD, &
        MPI_INFO_NULL, request, ierror)
    call twice
    call same_everywhere
    all(me) = mine(2)
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INTEGER, MPI_COMM_WORLD, ierror)
    call same_everywhere
    call MPI_Alltoall(mine, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, ierror)
    call turned
    call MPI_Ialltoall(mine, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, request, ierror)
    call done
    call turned
    call MPI_Alltoall_init(mine, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    call twice
    call turned
    call MPI_Alltoallv(mine, one, places, MPI_INTEGER, all, one, places, MPI_INTEGER, MPI_COMM_WORLD, ierror)
    call turned
    call MPI_Ialltoallv(mine, one, places, MPI_INTEGER, all, one, places, MPI_INTEGER, MPI_COMM_WORLD, request, ierror)
    call done
    call turned
    call MPI_Alltoallv_init(mine, one, places, MPI_INTEGER, all, one, places, MPI_INTEGER, MPI_COMM_WORLD, &
        MPI_INFO_NULL, request, ierror)
    call twice
    call turned
    call MPI_Alltoallw(mine, one, in_bytes, types, all, one, in_bytes, types, MPI_COMM_WORLD, ierror)
    call turned
    call MPI_Ialltoallw(mine, one, in_bytes, types, all, one, in_bytes, types, MPI_COMM_WORLD, request, ierror)
    call done
    call turned
    call MPI_Alltoallw_init(mine, one, in_bytes, types, all, one, in_bytes, types, MPI_COMM_WORLD, &
        MPI_INFO_NULL, request, ierror)
    call twice
    call turned
  end subroutine

  subroutine same_everywhere
    CHECK(sum(abs(all - [2, 12, 22, 32])) == 0)
    all = -1
  end subroutine

  subroutine turned
    CHECK(sum(abs(all - [me, 10 + me, 20 + me, 30 + me])) == 0)
    all = -1
  end subroutine

  subroutine reductions
    integer :: ranks(0:3)
    ranks = places
    call fill
    call MPI_Reduce(mine, all, n, MPI_INTEGER, MPI_SUM, 1, MPI_COMM_WORLD, ierror)
    CHECK(sum(all) == merge(264, -4, me == 1))
    call fill
    call MPI_Ireduce(mine, all, n, MPI_INTEGER, MPI_MAX, 1, MPI_COMM_WORLD, request, ierror)
    call done
    CHECK(sum(all) == merge(126, -4, me == 1))
    call MPI_Reduce_init(mine, all, n, MPI_INTEGER, MPI_MAX, 1, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    call twice
    CHECK(sum(all) == merge(126, -4, me == 1))
    call MPI_Allreduce(mine, all, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    CHECK(sum(abs(all - [60, 64, 68, 72])) == 0)
    call MPI_Iallreduce(mine, all, n, MPI_INTEGER, MPI_MIN, MPI_COMM_WORLD, request, ierror)
    call done
    CHECK(sum(abs(all - ranks)) == 0)
    call MPI_Allreduce_init(mine, all, n, MPI_INTEGER, MPI_MIN, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    call twice
    CHECK(sum(abs(all - ranks)) == 0)
    call MPI_Allreduce(MPI_IN_PLACE, mine, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    CHECK(sum(abs(mine - [60, 64, 68, 72])) == 0)
    call fill
    call MPI_Reduce_scatter(mine, all, one, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    CHECK(all(0) == 60 + 4 * me .and. all(1) == -1)
    call MPI_Ireduce_scatter(mine, all, one, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, request, ierror)
    call done
    CHECK(all(0) == 30 + me)
    call MPI_Reduce_scatter_init(mine, all, one, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    call twice
    CHECK(all(0) == 30 + me)
    call MPI_Reduce_scatter_block(mine, all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    CHECK(all(0) == 60 + 4 * me)
    call MPI_Ireduce_scatter_block(mine, all, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, request, ierror)
    call done
    CHECK(all(0) == 30 + me)
    call MPI_Reduce_scatter_block_init(mine, all, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    call twice
    CHECK(all(0) == 30 + me)
    call MPI_Scan(mine, all, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    CHECK(all(1) == 5 * me * (me + 1) + me + 1)
    call MPI_Iscan(mine, all, n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, request, ierror)
    call done
    CHECK(all(3) == 10 * me + 3)
    call MPI_Scan_init(mine, all, n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    call twice
    CHECK(all(3) == 10 * me + 3)
    call MPI_Exscan(mine, all, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    CHECK(me == 0 .or. all(0) == 5 * me * (me - 1))
    call MPI_Iexscan(mine, all, n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, request, ierror)
    call done
    CHECK(me == 0 .or. all(0) == 10 * (me - 1))
    call MPI_Exscan_init(mine, all, n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    call twice
    CHECK(me == 0 .or. all(0) == 10 * (me - 1))
    all = 5
    call MPI_Reduce_local(mine, all, n, MPI_INTEGER, MPI_SUM, ierror)
    CHECK(all(3) == 10 * me + 8)
    call of_other_types
  end subroutine

  subroutine of_other_types
    logical :: truth, truths
    complex :: number, numbers
    integer :: pair(2), least(2)
    double precision :: value(2), largest(2)
    truth = me == 2
    call MPI_Allreduce(truth, truths, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, ierror)
    CHECK(truths)
    call MPI_Allreduce(truth, truths, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, ierror)
    CHECK(.not. truths)
    number = cmplx(me, 1)
    call MPI_Allreduce(number, numbers, 1, MPI_COMPLEX, MPI_PROD, MPI_COMM_WORLD, ierror)
    CHECK(abs(numbers - cmplx(0, 1) * cmplx(1, 1) * cmplx(2, 1) * cmplx(3, 1)) < 1e-5)
    pair = [modulo(me - 1, 4), me]
    call MPI_Allreduce(pair, least, 1, MPI_2INTEGER, MPI_MINLOC, MPI_COMM_WORLD, ierror)
    CHECK(least(1) == 0 .and. least(2) == 1)
    value = [dble(modulo(me + 2, 4)), dble(me)]
    call MPI_Allreduce(value, largest, 1, MPI_2DOUBLE_PRECISION, MPI_MAXLOC, MPI_COMM_WORLD, ierror)
    CHECK(largest(1) == 3d0 .and. largest(2) == 1d0)
  end subroutine

  ! In a ring; from the left first.
  subroutine neighbours
    OF_TYPE(MPI_Comm) :: ring
    integer(MPI_ADDRESS_KIND) :: far(2)
    integer :: left, right
    far = [0, 4]
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [4], [.true.], .false., ring, ierror)
    left = modulo(me - 1, 4)
    right = modulo(me + 1, 4)
    call fill
    call MPI_Neighbor_allgather(mine, 1, MPI_INTEGER, all, 1, MPI_INTEGER, ring, ierror)
    call got(10 * left, 10 * right)
    call MPI_Ineighbor_allgather(mine, 1, MPI_INTEGER, all, 1, MPI_INTEGER, ring, request, ierror)
    call done
    call got(10 * left, 10 * right)
    call MPI_Neighbor_allgather_init(mine, 1, MPI_INTEGER, all, 1, MPI_INTEGER, ring, MPI_INFO_NULL, request, ierror)
    call twice
    call got(10 * left, 10 * right)
    call MPI_Neighbor_allgatherv(mine, 1, MPI_INTEGER, all, one, places, MPI_INTEGER, ring, ierror)
    call got(10 * left, 10 * right)
    call MPI_Ineighbor_allgatherv(mine, 1, MPI_INTEGER, all, one, places, MPI_INTEGER, ring, request, ierror)
    call done
    call got(10 * left, 10 * right)
    call MPI_Neighbor_allgatherv_init(mine, 1, MPI_INTEGER, all, one, places, MPI_INTEGER, ring, MPI_INFO_NULL, request, ierror)
    call twice
    call got(10 * left, 10 * right)
    call MPI_Neighbor_alltoall(mine, 1, MPI_INTEGER, all, 1, MPI_INTEGER, ring, ierror)
    call got(10 * left + 1, 10 * right)
    call MPI_Ineighbor_alltoall(mine, 1, MPI_INTEGER, all, 1, MPI_INTEGER, ring, request, ierror)
    call done
    call got(10 * left + 1, 10 * right)
    call MPI_Neighbor_alltoall_init(mine, 1, MPI_INTEGER, all, 1, MPI_INTEGER, ring, MPI_INFO_NULL, request, ierror)
    call twice
    call got(10 * left + 1, 10 * right)
    call MPI_Neighbor_alltoallv(mine, one, places, MPI_INTEGER, all, one, places, MPI_INTEGER, ring, ierror)
    call got(10 * left + 1, 10 * right)
    call MPI_Ineighbor_alltoallv(mine, one, places, MPI_INTEGER, all, one, places, MPI_INTEGER, ring, request, ierror)
    call done
    call got(10 * left + 1, 10 * right)
    call MPI_Neighbor_alltoallv_init(mine, one, places, MPI_INTEGER, all, one, places, MPI_INTEGER, ring, &
        MPI_INFO_NULL, request, ierror)
    call twice
    call got(10 * left + 1, 10 * right)
    call MPI_Neighbor_alltoallw(mine, one, far, types, all, one, far, types, ring, ierror)
    call got(10 * left + 1, 10 * right)
    call MPI_Ineighbor_alltoallw(mine, one, far, types, all, one, far, types, ring, request, ierror)
    call done
    call got(10 * left + 1, 10 * right)
    call MPI_Neighbor_alltoallw_init(mine, one, far, types, all, one, far, types, ring, MPI_INFO_NULL, request, ierror)
    call twice
    call got(10 * left + 1, 10 * right)
    call MPI_Comm_free(ring, ierror)
  end subroutine

  subroutine got(of_left, of_right)
    integer, intent(in) :: of_left, of_right
    CHECK(all(0) == of_left .and. all(1) == of_right)
    all = -1
  end subroutine
end program
