! ranks: 4
#include "checks.inc"

program communicators
#include "mpi_here.inc"
  integer :: me, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  call groups
  call of_one_group
  call of_two_groups
  call names_and_hints
  call MPI_Finalize(ierror)
  call finish(me)
contains
  subroutine holds(group, ranks)
    OF_TYPE(MPI_Group) :: group, world
    integer, intent(in) :: ranks(:)
    integer :: size, i, theirs(4)
    call MPI_Comm_group(MPI_COMM_WORLD, world, ierror)
    call MPI_Group_size(group, size, ierror)
    CHECK(size == ubound(ranks, 1))
    call MPI_Group_translate_ranks(group, size, [(i, i = 0, 3)], world, theirs, ierror)
    CHECK(all(theirs(:size) == ranks))
    call MPI_Group_free(world, ierror)
    call MPI_Group_free(group, ierror)
    CHECK(group == MPI_GROUP_NULL)
  end subroutine

  subroutine groups
    OF_TYPE(MPI_Group) :: world, low, high, made
    integer :: rank, result
    call MPI_Comm_group(MPI_COMM_WORLD, world, ierror)
    call MPI_Group_rank(world, rank, ierror)
    CHECK(rank == me)
    call MPI_Group_incl(world, 3, [2, 0, 1], low, ierror)
    call MPI_Group_excl(world, 1, [0], high, ierror)
    call MPI_Group_rank(high, rank, ierror)
    CHECK(rank == merge(me - 1, MPI_UNDEFINED, me > 0))
    call MPI_Group_union(low, high, made, ierror)
    call MPI_Group_compare(made, world, result, ierror)
    CHECK(result == MPI_SIMILAR)
    call holds(made, [2, 0, 1, 3])
    call MPI_Group_intersection(low, high, made, ierror)
    call holds(made, [2, 1])
    call MPI_Group_difference(low, high, made, ierror)
    call holds(made, [0])
    call MPI_Group_range_incl(world, 2, reshape([3, 2, -1, 0, 0, 1], [3, 2]), made, ierror)
    call holds(made, [3, 2, 0])
    call MPI_Group_range_excl(world, 1, reshape([0, 3, 2], [3, 1]), made, ierror)
    call holds(made, [1, 3])
    call holds(low, [2, 0, 1])
    call holds(high, [1, 2, 3])
    call MPI_Group_free(world, ierror)
  end subroutine

  subroutine of_one_group
    OF_TYPE(MPI_Comm) :: comm, copy
    OF_TYPE(MPI_Group) :: group, world
    OF_TYPE(MPI_Request) :: request
    integer :: size, rank, result
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    CHECK(size == 4)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    call MPI_Comm_compare(comm, MPI_COMM_WORLD, result, ierror)
    CHECK(result == MPI_CONGRUENT)
    call MPI_Comm_free(comm, ierror)
    CHECK(comm == MPI_COMM_NULL)
    call MPI_Comm_split(MPI_COMM_WORLD, mod(me, 2), -me, comm, ierror)
    call MPI_Comm_rank(comm, rank, ierror)
    CHECK(rank == 1 - me / 2)
    call MPI_Comm_idup(comm, copy, request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    call MPI_Comm_size(copy, size, ierror)
    CHECK(size == 2)
    call MPI_Comm_disconnect(copy, ierror)
    call MPI_Comm_idup_with_info(comm, MPI_INFO_NULL, copy, request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    call MPI_Comm_size(copy, size, ierror)
    CHECK(size == 2)
    call MPI_Comm_free(copy, ierror)
    call MPI_Comm_free(comm, ierror)
    call MPI_Comm_split(MPI_COMM_WORLD, merge(MPI_UNDEFINED, 0, me == 3), 0, comm, ierror)
    CHECK((comm == MPI_COMM_NULL) .eqv. (me == 3))
    if (me /= 3) call MPI_Comm_free(comm, ierror)
    call MPI_Comm_group(MPI_COMM_WORLD, world, ierror)
    call MPI_Group_incl(world, 2, [3, 1], group, ierror)
    call MPI_Comm_create(MPI_COMM_WORLD, group, comm, ierror)
    if (mod(me, 2) == 1) then
      call MPI_Comm_rank(comm, rank, ierror)
      CHECK(rank == merge(0, 1, me == 3))
      call MPI_Comm_free(comm, ierror)
      call MPI_Comm_create_group(MPI_COMM_WORLD, group, 5, comm, ierror)
      call MPI_Comm_size(comm, size, ierror)
      CHECK(size == 2)
      call MPI_Comm_free(comm, ierror)
    end if
    call MPI_Group_free(group, ierror)
    call MPI_Group_free(world, ierror)
    call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, comm, ierror)
    call MPI_Comm_size(comm, size, ierror)
    CHECK(size >= 1)
    call MPI_Comm_free(comm, ierror)
  end subroutine

  subroutine of_two_groups
    OF_TYPE(MPI_Comm) :: half, both, all
    OF_TYPE(MPI_Group) :: others
    integer :: size, rank
    logical :: flag
    call MPI_Comm_split(MPI_COMM_WORLD, me / 3, me, half, ierror)
    call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, merge(0, 3, me == 3), 9, both, ierror)
    call MPI_Comm_test_inter(both, flag, ierror)
    CHECK(flag)
    call MPI_Comm_remote_size(both, size, ierror)
    CHECK(size == merge(3, 1, me == 3))
    call MPI_Comm_remote_group(both, others, ierror)
    call MPI_Group_size(others, rank, ierror)
    CHECK(rank == size)
    call MPI_Group_free(others, ierror)
    call MPI_Intercomm_merge(both, me == 3, all, ierror)
    call MPI_Comm_rank(all, rank, ierror)
    CHECK(rank == me)
    call MPI_Comm_test_inter(all, flag, ierror)
    CHECK(.not. flag)
    call MPI_Comm_free(all, ierror)
    call MPI_Comm_free(both, ierror)
    call MPI_Comm_free(half, ierror)
  end subroutine

  subroutine names_and_hints
    OF_TYPE(MPI_Comm) :: comm
    OF_TYPE(MPI_Info) :: info
    character(len=MPI_MAX_OBJECT_NAME) :: name
    integer :: length, keys
    call MPI_Comm_get_name(MPI_COMM_WORLD, name, length, ierror)
    CHECK(name == 'MPI_COMM_WORLD' .and. length == 14)
    call MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, comm, ierror)
    call MPI_Comm_set_name(comm, '  a copy  ', ierror)
    name = ''
    call MPI_Comm_get_name(comm, name, length, ierror)
    CHECK(name == '  a copy' .and. length == 8) ! blanks before a name are of it, those behind it are not
    call MPI_Comm_set_name(comm, repeat('n', MPI_MAX_OBJECT_NAME + 1), ierror)
    call MPI_Comm_get_name(comm, name, length, ierror)
    CHECK(name == repeat('n', MPI_MAX_OBJECT_NAME) .and. length == MPI_MAX_OBJECT_NAME)
    call MPI_Comm_set_name(comm, '   ', ierror)
    call MPI_Comm_get_name(comm, name, length, ierror)
    CHECK(name == '' .and. length == 0)
    call MPI_Info_create(info, ierror)
    call MPI_Comm_set_info(comm, info, ierror)
    call MPI_Info_free(info, ierror)
    call MPI_Comm_get_info(comm, info, ierror)
    call MPI_Info_get_nkeys(info, keys, ierror)
    CHECK(ierror == MPI_SUCCESS .and. keys >= 0)
    call MPI_Info_free(info, ierror)
    call MPI_Comm_free(comm, ierror)
  end subroutine
end program
