! ranks: 2
! Windows: memory of Fortran's and of the library's, operations of all kinds, epochs of all kinds.
#include "checks.inc"

module window_callbacks
#if defined(BY_F08)
  use mpi_f08
#elif defined(BY_MPI)
  use mpi
#endif
  implicit none
#if defined(BY_H)
  include 'mpif.h'
#endif
  integer :: errors = 0
contains
  subroutine note_error(win, code)
    OF_TYPE(MPI_Win) :: win
    integer :: code
    errors = errors + 1
    if (code == MPI_SUCCESS .or. win == MPI_WIN_NULL) errors = -1
  end subroutine
end module

program windows
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  use window_callbacks, only: errors, note_error
#include "mpi_here.inc"
  integer, parameter :: count = 10
  integer(kind=MPI_ADDRESS_KIND), parameter :: bytes = 4 * count, zero = 0, one = 1
  integer, target, asynchronous :: memory(count)
  OF_TYPE(MPI_Win) :: win
  integer :: me, other, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  other = 1 - me
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)
  CHECK(ierror == MPI_SUCCESS)
  call between_fences
  call of_single_elements
  call with_requests
  call under_locks
  call of_groups
  call ask_window
  call handle_errors
  call MPI_Win_free(win, ierror)
  CHECK(win == MPI_WIN_NULL)
  call of_the_library
#if defined(BY_MPI)
  call by_address
#endif
  call dynamic
  call MPI_Finalize(ierror)
  call finish(me)
contains
  subroutine between_fences
    integer, asynchronous :: mine(count), got(2 * count), before(count)
    integer :: i
    mine = [(100 * me + i, i = 1, count)]
    got = -1
    memory = 0
    call MPI_Win_fence(MPI_MODE_NOPRECEDE, win, ierror)
    call MPI_Put(mine, 3, MPI_INTEGER, other, one, 3, MPI_INTEGER, win, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_Accumulate(mine, 2, MPI_INTEGER, other, 5 * one, 2, MPI_INTEGER, MPI_SUM, win, ierror)
    call MPI_Win_fence(0, win, ierror)
    CHECK(all(memory(2:4) == [(100 * other + i, i = 1, 3)]))
    CHECK(all(memory(6:7) == [(100 * other + i, i = 1, 2)]))
    call MPI_Win_fence(0, win, ierror)
    call MPI_Get(got, 3, MPI_INTEGER, other, one, 3, MPI_INTEGER, win, ierror)
    call MPI_Get_accumulate(mine, 1, MPI_INTEGER, before, 1, MPI_INTEGER, other, 8 * one, 1, MPI_INTEGER, &
                            MPI_REPLACE, win, ierror)
    call MPI_Win_fence(0, win, ierror)
    CHECK(all(got(1:4) == [100 * me + 1, 100 * me + 2, 100 * me + 3, -1]))
    CHECK(before(1) == 0 .and. memory(9) == 100 * other + 1)
#if defined(BY_F08)
    ! sections, which the call itself describes
    got = -1
    call MPI_Get(got(1:5:2), 3, MPI_INTEGER, other, one, 3, MPI_INTEGER, win)
    call MPI_Put(mine(1:count:3), 2, MPI_INTEGER, other, zero, 2, MPI_INTEGER, win)
    call MPI_Win_fence(0, win)
    CHECK(got(1) == 100 * me + 1 .or. got(1) == 100 * me + 4)
    CHECK(got(3) == 100 * me + 2 .and. got(2) == -1)
    CHECK(memory(1) == 100 * other + 1 .and. memory(2) == 100 * other + 4)
#endif
    call MPI_Win_fence(MPI_MODE_NOSUCCEED, win, ierror)
  end subroutine

  subroutine of_single_elements
    integer, asynchronous :: before, mine, compared
    memory(1) = 7
    before = -1
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Win_lock_all(0, win, ierror)
    mine = 3
    call MPI_Fetch_and_op(mine, before, MPI_INTEGER, other, zero, MPI_SUM, win, ierror)
    call MPI_Win_flush(other, win, ierror)
    CHECK(before == 7)
    compared = 10
    mine = 11
    call MPI_Compare_and_swap(mine, compared, before, MPI_INTEGER, other, zero, win, ierror)
    call MPI_Win_flush_local(other, win, ierror)
    CHECK(before == 10)
    call MPI_Win_flush_all(win, ierror)
    call MPI_Win_flush_local_all(win, ierror)
    call MPI_Win_unlock_all(win, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    CHECK(memory(1) == 11)
  end subroutine

  subroutine with_requests
    OF_TYPE(MPI_Request) :: requests(4)
    integer, asynchronous :: mine(2), got(2), before(2)
    memory = 5
    mine = me
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Win_lock_all(0, win, ierror)
    call MPI_Rput(mine, 2, MPI_INTEGER, other, zero, 2, MPI_INTEGER, win, requests(1), ierror)
    call MPI_Raccumulate(mine, 2, MPI_INTEGER, other, 4 * one, 2, MPI_INTEGER, MPI_SUM, win, requests(2), ierror)
    call MPI_Rget(got, 2, MPI_INTEGER, other, 7 * one, 2, MPI_INTEGER, win, requests(3), ierror)
    call MPI_Rget_accumulate(mine, 2, MPI_INTEGER, before, 2, MPI_INTEGER, other, 2 * one, 2, MPI_INTEGER, &
                             MPI_SUM, win, requests(4), ierror)
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, ierror)
    CHECK(all(got == 5) .and. all(before == 5))
    call MPI_Win_unlock_all(win, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    CHECK(all(memory(1:6) == [other, other, 5 + other, 5 + other, 5 + other, 5 + other]))
  end subroutine

  subroutine under_locks
    integer, asynchronous :: mine
    mine = 40 + me
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, other, 0, win, ierror)
    call MPI_Put(mine, 1, MPI_INTEGER, other, zero, 1, MPI_INTEGER, win, ierror)
    call MPI_Win_unlock(other, win, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Win_sync(win, ierror)
    CHECK(memory(1) == 40 + other)
  end subroutine

  subroutine of_groups
    OF_TYPE(MPI_Group) :: all_ranks, the_other
    integer, asynchronous :: mine
    logical :: is_over
    integer :: members
    mine = 60 + me
    call MPI_Win_get_group(win, all_ranks, ierror)
    call MPI_Group_size(all_ranks, members, ierror)
    CHECK(members == 2)
    call MPI_Group_incl(all_ranks, 1, [other], the_other, ierror)
    call MPI_Win_post(the_other, 0, win, ierror)
    call MPI_Win_start(the_other, 0, win, ierror)
    call MPI_Put(mine, 1, MPI_INTEGER, other, one, 1, MPI_INTEGER, win, ierror)
    call MPI_Win_complete(win, ierror)
    call MPI_Win_wait(win, ierror)
    CHECK(memory(2) == 60 + other)
    call MPI_Win_post(the_other, 0, win, ierror)
    call MPI_Win_start(the_other, 0, win, ierror)
    call MPI_Win_complete(win, ierror)
    is_over = .false.
    do while (.not. is_over)
      call MPI_Win_test(win, is_over, ierror)
    end do
    CHECK(ierror == MPI_SUCCESS .and. memory(2) == 60 + other)
    call MPI_Group_free(all_ranks, ierror)
    call MPI_Group_free(the_other, ierror)
  end subroutine

  subroutine ask_window
    integer(kind=MPI_ADDRESS_KIND) :: value, address
    OF_TYPE(MPI_Info) :: info
    character(len=MPI_MAX_OBJECT_NAME) :: name
    character(len=10) :: hint
    integer :: key, length
    logical :: flag
    call MPI_Win_get_attr(win, MPI_WIN_BASE, value, flag, ierror)
    call MPI_Get_address(memory, address, ierror)
    CHECK(flag .and. value == address)
    call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, flag, ierror)
    CHECK(flag .and. value == bytes)
    call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, value, flag, ierror)
    CHECK(flag .and. value == 4)
    call MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, value, flag, ierror)
    CHECK(flag .and. value == MPI_WIN_FLAVOR_CREATE)
    call MPI_Win_get_attr(win, MPI_WIN_MODEL, value, flag, ierror)
    CHECK(flag .and. value == MPI_WIN_UNIFIED)
    call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, key, zero, ierror)
    value = 2_MPI_ADDRESS_KIND**40 + me
    call MPI_Win_set_attr(win, key, value, ierror)
    value = 0
    call MPI_Win_get_attr(win, key, value, flag, ierror)
    CHECK(flag .and. value == 2_MPI_ADDRESS_KIND**40 + me)
    call MPI_Win_delete_attr(win, key, ierror)
    call MPI_Win_get_attr(win, key, value, flag, ierror)
    CHECK(.not. flag)
    call MPI_Win_free_keyval(key, ierror)
    call MPI_Win_set_name(win, 'a name ', ierror)
    call MPI_Win_get_name(win, name, length, ierror)
    CHECK(name == 'a name' .and. length == 6)
    call MPI_Win_get_info(win, info, ierror)
    call MPI_Info_get(info, 'no_locks', 10, hint, flag, ierror)
    CHECK(flag .and. hint == 'false')
    call MPI_Win_set_info(win, info, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_Info_free(info, ierror)
  end subroutine

  subroutine handle_errors
    OF_TYPE(MPI_Errhandler) :: handler, found
    integer :: class
    integer, asynchronous :: mine
    call MPI_Win_create_errhandler(note_error, handler, ierror)
    call MPI_Win_set_errhandler(win, handler, ierror)
    call MPI_Win_get_errhandler(win, found, ierror)
    CHECK(found == handler)
    call MPI_Win_call_errhandler(win, MPI_ERR_OTHER, ierror)
    CHECK(errors == 1)
    mine = 0
    call MPI_Put(mine, 1, MPI_INTEGER, other, zero, 1, MPI_INTEGER, win, ierror)
    CHECK(errors == 2)
    call MPI_Error_class(ierror, class, ierror)
    CHECK(class == MPI_ERR_RMA_SYNC)
    call MPI_Errhandler_free(found, ierror)
    call MPI_Errhandler_free(handler, ierror)
  end subroutine

  subroutine of_the_library
    OF_TYPE(MPI_Win) :: allocated
    integer(kind=MPI_ADDRESS_KIND) :: found_bytes
    integer :: unit
#if defined(BY_H)
    integer(kind=MPI_ADDRESS_KIND) :: place
    call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, place, allocated, ierror)
    CHECK(place /= 0)
    call MPI_Win_free(allocated, ierror)
    place = 0
    call MPI_Win_allocate_shared(bytes, 4, MPI_INFO_NULL, MPI_COMM_SELF, place, allocated, ierror)
    CHECK(place /= 0)
    call MPI_Win_shared_query(allocated, 0, found_bytes, unit, place, ierror)
#else
    type(c_ptr) :: place
    integer, pointer :: cells(:)
    call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, place, allocated, ierror)
    call c_f_pointer(place, cells, [count])
    CHECK(associated(cells))
    cells = me
    call MPI_Win_free(allocated, ierror)
    CHECK(allocated == MPI_WIN_NULL)
    call MPI_Win_allocate_shared(bytes, 4, MPI_INFO_NULL, MPI_COMM_SELF, place, allocated, ierror)
    call c_f_pointer(place, cells, [count])
    cells = me
    call MPI_Win_shared_query(allocated, 0, found_bytes, unit, place, ierror)
    call c_f_pointer(place, cells, [count])
    CHECK(all(cells == me))
#endif
    CHECK(found_bytes == bytes .and. unit == 4)
    call MPI_Win_free(allocated, ierror)
  end subroutine

#if defined(BY_MPI)
  ! By the same names as where places are pointers of C's.
  subroutine by_address
    integer :: allocated, unit
    integer(kind=MPI_ADDRESS_KIND) :: place, found, found_bytes
    logical :: flag
    place = 0
    call MPI_Alloc_mem(bytes, MPI_INFO_NULL, place, ierror)
    CHECK(place /= 0)
    place = 0
    call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, place, allocated, ierror)
    call MPI_Win_get_attr(allocated, MPI_WIN_BASE, found, flag, ierror)
    CHECK(flag .and. found == place)
    call MPI_Win_free(allocated, ierror)
    place = 0
    call MPI_Win_allocate_shared(bytes, 4, MPI_INFO_NULL, MPI_COMM_SELF, place, allocated, ierror)
    call MPI_Win_shared_query(allocated, 0, found_bytes, unit, found, ierror)
    CHECK(place /= 0 .and. found == place .and. found_bytes == bytes .and. unit == 4)
    call MPI_Win_free(allocated, ierror)
  end subroutine
#endif

  subroutine dynamic
    OF_TYPE(MPI_Win) :: attached
    integer, target, asynchronous :: cells(3), mine
    integer(kind=MPI_ADDRESS_KIND) :: places(0:1)
    call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, attached, ierror)
    call MPI_Win_attach(attached, cells, 3 * 4_MPI_ADDRESS_KIND, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_Get_address(cells(2), places(me), ierror)
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, places, 1, MPI_AINT, MPI_COMM_WORLD, ierror)
    mine = 80 + me
    call MPI_Win_fence(0, attached, ierror)
    call MPI_Put(mine, 1, MPI_INTEGER, other, places(other), 1, MPI_INTEGER, attached, ierror)
    call MPI_Win_fence(0, attached, ierror)
    CHECK(cells(2) == 80 + other)
    call MPI_Win_detach(attached, cells, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_Win_free(attached, ierror)
  end subroutine
end program
