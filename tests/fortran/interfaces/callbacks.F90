! ranks: 2
#include "checks.inc"

! What the program gives to MPI to be called.
module given
#if defined(BY_F08)
  use mpi_f08
#elif defined(BY_MPI)
  use mpi
#endif
  implicit none
#if !defined(BY_F08) && !defined(BY_MPI)
  include 'mpif.h'
#endif
  integer :: copied = 0, deleted = 0, errors = 0, last_error = 0, freed = 0, cancelled = 0
  integer(MPI_ADDRESS_KIND) :: seen_state = 0, deleted_value = 0
contains
#if defined(BY_F08)
  subroutine larger(invec, inoutvec, len, datatype)
    use, intrinsic :: iso_c_binding
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    if (datatype /= MPI_INTEGER) error stop 'another datatype'
    b = merge(a, b, abs(a) > abs(b))
  end subroutine
#else
  subroutine larger(invec, inoutvec, len, datatype)
    integer :: len, datatype
    integer :: invec(len), inoutvec(len)
    if (datatype /= MPI_INTEGER) error stop 'another datatype'
    inoutvec = merge(invec, inoutvec, abs(invec) > abs(inoutvec))
  end subroutine
#endif

  subroutine copy_comm(comm, keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    OF_TYPE(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    copied = copied + 1
    seen_state = extra_state
    attribute_val_out = attribute_val_in + 1
    flag = attribute_val_in /= 13
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete_comm(comm, keyval, attribute_val, extra_state, ierror)
    OF_TYPE(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
    deleted = deleted + 1
    deleted_value = attribute_val
    ierror = MPI_SUCCESS
  end subroutine

  subroutine copy_type(type, keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    OF_TYPE(MPI_Datatype) :: type
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    attribute_val_out = attribute_val_in * 2
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete_type(type, keyval, attribute_val, extra_state, ierror)
    OF_TYPE(MPI_Datatype) :: type
    integer :: keyval, ierror
    integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
    deleted = deleted + 100
    ierror = MPI_SUCCESS
  end subroutine

  subroutine old_copy(comm, keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    integer :: comm, keyval, extra_state, attribute_val_in, attribute_val_out, ierror
    logical :: flag
    attribute_val_out = attribute_val_in - extra_state
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine handle_error(comm, error_code)
    OF_TYPE(MPI_Comm) :: comm
    integer :: error_code
    if (comm /= MPI_COMM_WORLD) error stop 'another communicator'
    errors = errors + 1
    last_error = error_code
  end subroutine

  subroutine handle_win_error(win, error_code)
    OF_TYPE(MPI_Win) :: win
    integer :: error_code
    errors = errors + 1000
  end subroutine

  subroutine handle_file_error(file, error_code)
    OF_TYPE(MPI_File) :: file
    integer :: error_code
    errors = errors + 100
  end subroutine

  subroutine query(extra_state, status, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    STATUS :: status
    integer :: ierror
    SOURCE_OF(status) = int(extra_state)
    TAG_OF(status) = 5
    call MPI_Status_set_elements(status, MPI_INTEGER, 3, ierror)
    call MPI_Status_set_cancelled(status, cancelled > 0, ierror)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine release(extra_state, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    freed = freed + 1
    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancel(extra_state, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    if (.not. complete) cancelled = cancelled + 1
    ierror = MPI_SUCCESS
  end subroutine
end module

program callbacks
#if defined(BY_F08) || defined(BY_MPI)
  use checks
  use given
  implicit none
#else
  use checks
  use given
  implicit none
#endif
  integer :: me, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  call operations
  call attributes_of_comms
  call attributes_of_types
  call error_handlers
  call requests
#if !defined(BY_F08)
  call of_mpi_1
#endif
  call MPI_Finalize(ierror)
  call finish(me)
contains
  subroutine operations
    OF_TYPE(MPI_Op) :: op
    integer :: sent(2), got(2)
    logical :: commute
    call MPI_Op_create(larger, .true., op, ierror)
    call MPI_Op_commutative(op, commute, ierror)
    CHECK(commute)
    sent = [me, -7 * (1 - me)]
    call MPI_Allreduce(sent, got, 2, MPI_INTEGER, op, MPI_COMM_WORLD, ierror)
    CHECK(all(got == [1, -7]))
    call MPI_Op_free(op, ierror)
    CHECK(op == MPI_OP_NULL)
  end subroutine

  subroutine attributes_of_comms
    OF_TYPE(MPI_Comm) :: comm
    integer :: key, plain, none
    integer(MPI_ADDRESS_KIND) :: value
    logical :: flag
    call MPI_Comm_create_keyval(copy_comm, delete_comm, key, 77_MPI_ADDRESS_KIND, ierror)
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, plain, 0_MPI_ADDRESS_KIND, ierror)
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, none, 0_MPI_ADDRESS_KIND, ierror)
    call MPI_Comm_set_attr(MPI_COMM_WORLD, key, -5000000000_MPI_ADDRESS_KIND, ierror)
    call MPI_Comm_set_attr(MPI_COMM_WORLD, plain, 6_MPI_ADDRESS_KIND, ierror)
    call MPI_Comm_set_attr(MPI_COMM_WORLD, none, 8_MPI_ADDRESS_KIND, ierror)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, key, value, flag, ierror)
    CHECK(flag .and. value == -5000000000_MPI_ADDRESS_KIND)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    CHECK(copied == 1 .and. seen_state == 77)
    call MPI_Comm_get_attr(comm, key, value, flag, ierror)
    CHECK(flag .and. value == -4999999999_MPI_ADDRESS_KIND)
    call MPI_Comm_get_attr(comm, plain, value, flag, ierror)
    CHECK(flag .and. value == 6)
    call MPI_Comm_get_attr(comm, none, value, flag, ierror)
    CHECK(.not. flag)
    call MPI_Comm_free(comm, ierror)
    CHECK(deleted == 1 .and. deleted_value == -4999999999_MPI_ADDRESS_KIND)
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, key, ierror)
    CHECK(deleted == 2)
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, plain, ierror)
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, none, ierror)
    call MPI_Comm_free_keyval(key, ierror)
    CHECK(key == MPI_KEYVAL_INVALID)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierror)
    CHECK(flag .and. value >= 32767)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, value, flag, ierror)
    CHECK(flag .and. value == 1)
  end subroutine

  subroutine attributes_of_types
    OF_TYPE(MPI_Datatype) :: type, copy
    integer :: key
    integer(MPI_ADDRESS_KIND) :: value
    logical :: flag
    deleted = 0
    call MPI_Type_create_keyval(copy_type, delete_type, key, 0_MPI_ADDRESS_KIND, ierror)
    call MPI_Type_contiguous(2, MPI_REAL, type, ierror)
    call MPI_Type_set_attr(type, key, 21_MPI_ADDRESS_KIND, ierror)
    call MPI_Type_dup(type, copy, ierror)
    call MPI_Type_get_attr(copy, key, value, flag, ierror)
    CHECK(flag .and. value == 42)
    call MPI_Type_delete_attr(copy, key, ierror)
    CHECK(deleted == 100)
    call MPI_Type_free(type, ierror)
    CHECK(deleted == 200)
    call MPI_Type_free(copy, ierror)
    call MPI_Type_free_keyval(key, ierror)
    call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND, ierror)
    CHECK(key /= MPI_KEYVAL_INVALID)
    call MPI_Win_free_keyval(key, ierror)
    CHECK(key == MPI_KEYVAL_INVALID)
  end subroutine

  subroutine error_handlers
    OF_TYPE(MPI_Errhandler) :: mine, now
    integer :: class
    call MPI_Comm_create_errhandler(handle_error, mine, ierror)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, mine, ierror)
    call MPI_Send(me, 1, MPI_INTEGER, 99, 1, MPI_COMM_WORLD, ierror)
    CHECK(errors == 1)
    call MPI_Error_class(last_error, class, ierror)
    CHECK(class == MPI_ERR_RANK)
    call MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_TAG, ierror)
    CHECK(errors == 2 .and. last_error == MPI_ERR_TAG)
    call MPI_Comm_get_errhandler(MPI_COMM_WORLD, now, ierror)
    CHECK(now == mine)
    call MPI_Errhandler_free(now, ierror)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierror)
    call MPI_Errhandler_free(mine, ierror)
    CHECK(mine == MPI_ERRHANDLER_NULL)
    errors = 0
    call MPI_Win_create_errhandler(handle_win_error, mine, ierror)
    call MPI_Errhandler_free(mine, ierror)
    call MPI_File_create_errhandler(handle_file_error, mine, ierror)
    call MPI_File_set_errhandler(MPI_FILE_NULL, mine, ierror)
    call MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_IO, ierror)
    CHECK(errors == 100)
    call MPI_File_get_errhandler(MPI_FILE_NULL, now, ierror)
    CHECK(now == mine)
    call MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN, ierror)
    call MPI_Errhandler_free(now, ierror)
    call MPI_Errhandler_free(mine, ierror)
  end subroutine

  subroutine requests
    OF_TYPE(MPI_Request) :: request
    STATUS :: got
    integer :: count
    logical :: flag
    call MPI_Grequest_start(query, release, cancel, 9_MPI_ADDRESS_KIND, request, ierror)
    call MPI_Test(request, flag, got, ierror)
    CHECK(.not. flag)
    call MPI_Grequest_complete(request, ierror)
    call MPI_Wait(request, got, ierror)
    CHECK(SOURCE_OF(got) == 9 .and. TAG_OF(got) == 5 .and. freed == 1)
    call MPI_Get_elements(got, MPI_INTEGER, count, ierror)
    CHECK(count == 3)
    call MPI_Grequest_start(query, release, cancel, 9_MPI_ADDRESS_KIND, request, ierror)
    call MPI_Cancel(request, ierror)
    CHECK(cancelled == 1)
    call MPI_Grequest_complete(request, ierror)
    call MPI_Wait(request, got, ierror)
    call MPI_Test_cancelled(got, flag, ierror)
    CHECK(flag .and. freed == 2)
  end subroutine

#if !defined(BY_F08)
  subroutine of_mpi_1
    integer :: key, value, comm, handler
    integer(MPI_ADDRESS_KIND) :: long
    logical :: flag
    call MPI_Keyval_create(old_copy, MPI_NULL_DELETE_FN, key, 3, ierror)
    call MPI_Attr_put(MPI_COMM_WORLD, key, -4, ierror)
    call MPI_Attr_get(MPI_COMM_WORLD, key, value, flag, ierror)
    CHECK(flag .and. value == -4)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, key, long, flag, ierror)
    CHECK(flag .and. long == -4)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    call MPI_Attr_get(comm, key, value, flag, ierror)
    CHECK(flag .and. value == -7)
    call MPI_Attr_delete(comm, key, ierror)
    call MPI_Attr_get(comm, key, value, flag, ierror)
    CHECK(.not. flag)
    call MPI_Comm_free(comm, ierror)
    call MPI_Attr_delete(MPI_COMM_WORLD, key, ierror)
    call MPI_Keyval_free(key, ierror)
    call MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, key, 0, ierror)
    call MPI_Attr_put(MPI_COMM_WORLD, key, 12, ierror)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    call MPI_Attr_get(comm, key, value, flag, ierror)
    CHECK(flag .and. value == 12)
    call MPI_Comm_free(comm, ierror)
    call MPI_Attr_delete(MPI_COMM_WORLD, key, ierror)
    call MPI_Keyval_free(key, ierror)
    call MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierror)
    CHECK(flag .and. value >= 32767)
    errors = 0
    call MPI_Errhandler_create(handle_error, handler, ierror)
    call MPI_Errhandler_set(MPI_COMM_WORLD, handler, ierror)
    call MPI_Send(me, 1, MPI_INTEGER, 99, 1, MPI_COMM_WORLD, ierror)
    CHECK(errors == 1)
    call MPI_Errhandler_get(MPI_COMM_WORLD, value, ierror)
    CHECK(value == handler)
    call MPI_Errhandler_free(value, ierror)
    call MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierror)
    call MPI_Errhandler_free(handler, ierror)
  end subroutine
#endif
end program
