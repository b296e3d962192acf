"""Callbacks that one language gives to MPI are called as that language wants it, whichever language makes the call;
what the other has set comes as the standard says."""

from tests.fortran.with_c import run_together

C_PART = """#include <mpi.h>
#include <stdio.h>
static int errors, deleted, right = 1;
static void hold(int is_right, const char* what) {
  if (!is_right) printf("wrong: %s\\n", what);
  right = right && is_right;
}
static void handle(MPI_Comm* comm, int* code, ...) { errors += *comm == MPI_COMM_WORLD && *code != MPI_SUCCESS; }
static void add_hundreds(void* in, void* out, int* count, MPI_Datatype* type) {
  hold(*type == MPI_INTEGER, "the datatype");
  for (int i = 0; i < *count; ++i) ((int*)out)[i] += 100 * ((int*)in)[i];
}
/* What Fortran has set comes as a pointer to it. */
static int copy(MPI_Comm comm, int key, void* state, void* in, void* out, int* flag) {
  hold(*(MPI_Aint*)in == -9, "what is copied");
  *(void**)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}
static int removed(MPI_Comm comm, int key, void* value, void* state) {
  hold(*(MPI_Aint*)value == -9, "what is deleted");
  ++deleted;
  return MPI_SUCCESS;
}
static int query(void* state, MPI_Status* status) {
  MPI_Status_set_elements(status, MPI_INTEGER, 5);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = 3, status->MPI_TAG = 4;
  return MPI_SUCCESS;
}
static int ended(void* state) { return ++*(int*)state, MPI_SUCCESS; }
static int cancel(void* state, int complete) { return MPI_SUCCESS; }

static int ends;
void made_by_c_(MPI_Fint* handler, MPI_Fint* op, int* key, MPI_Fint* request) {
  MPI_Errhandler own_handler;
  MPI_Op own_op;
  MPI_Request own_request;
  MPI_Comm_create_errhandler(handle, &own_handler);
  MPI_Op_create(add_hundreds, 0, &own_op);
  MPI_Comm_create_keyval(copy, removed, key, 0);
  MPI_Grequest_start(query, ended, cancel, &ends, &own_request);
  *handler = MPI_Errhandler_c2f(own_handler);
  *op = MPI_Op_c2f(own_op);
  *request = MPI_Request_c2f(own_request);
}
void seen_by_c_(int* all_right) { *all_right = right && errors == 1 && deleted == 2 && ends == 1; }

static void* value_of(MPI_Comm comm, int key) {
  void* value = 0;
  int flag = 0;
  MPI_Comm_get_attr(comm, key, &value, &flag);
  return flag ? value : 0;
}

void used_by_c_(MPI_Fint* handler, MPI_Fint* op, int* key, int* plain_key, int* old_key) {
  static MPI_Aint mine = 77;
  int one = 1, sum = 0;
  MPI_Comm copied;
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_Errhandler_f2c(*handler));
  MPI_Send(0, -1, MPI_INT, 0, 0, MPI_COMM_SELF);
  MPI_Reduce_local(&one, &sum, 1, MPI_INTEGER, MPI_Op_f2c(*op));
  hold(sum == 7, "the sum");
  hold(*(int*)value_of(MPI_COMM_WORLD, *old_key) == -4, "a default integer of Fortran's");
  hold(*(MPI_Aint*)value_of(MPI_COMM_WORLD, *key) == -5000000000, "a long integer of Fortran's");
  /* What C has set under keys of Fortran's, and Fortran's callbacks have copied as it is: the pointer that it was. */
  MPI_Comm_set_attr(MPI_COMM_SELF, *key, &mine);
  MPI_Comm_set_attr(MPI_COMM_SELF, *plain_key, &mine);
  MPI_Comm_dup(MPI_COMM_SELF, &copied);
  hold(value_of(copied, *plain_key) == &mine, "a pointer that Fortran has copied");
  hold(value_of(copied, *key) == &mine, "a pointer that a callback in Fortran has handed on");
  MPI_Comm_free(&copied);
  MPI_Comm_delete_attr(MPI_COMM_SELF, *key);
  MPI_Comm_delete_attr(MPI_COMM_SELF, *plain_key);
}
"""

FORTRAN_PART = """module given
  use mpi
  implicit none
  integer :: errors = 0, copied = 0, deleted = 0
contains
  subroutine handle(comm, code)
    integer :: comm, code
    if (comm == MPI_COMM_SELF .and. code /= MPI_SUCCESS) errors = errors + 1
  end subroutine
  subroutine add_sevens(in, out, count, type)
    integer :: count, type, in(count), out(count)
    if (type == MPI_INTEGER) out = out + 7 * in
  end subroutine
  subroutine copy(comm, key, state, in, out, flag, ierror)
    integer :: comm, key, ierror
    integer(MPI_ADDRESS_KIND) :: state, in, out
    logical :: flag
    copied = copied + 1
    out = in
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine
  subroutine removed(comm, key, value, state, ierror)
    integer :: comm, key, ierror
    integer(MPI_ADDRESS_KIND) :: state, value
    deleted = deleted + 1
    ierror = MPI_SUCCESS
  end subroutine
end module

program main
  use given
  implicit none
  integer :: handler, op, key, plain_key, old_key, request, comm, numbers(1), sums(1), right, ierror
  integer :: status(MPI_STATUS_SIZE), count
  integer(MPI_ADDRESS_KIND) :: value
  logical :: flag, good
  call MPI_Init(ierror)
  call made_by_c(handler, op, key, request)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler, ierror)
  call MPI_Send(numbers, -1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierror)
  good = ierror /= MPI_SUCCESS
  numbers = 2
  sums = 1
  call MPI_Reduce_local(numbers, sums, 1, MPI_INTEGER, op, ierror)
  good = good .and. sums(1) == 201
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, -9_MPI_ADDRESS_KIND, ierror)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
  call MPI_Comm_get_attr(comm, key, value, flag, ierror)
  good = good .and. flag .and. value == -9
  call MPI_Comm_free(comm, ierror)
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, key, ierror)
  call MPI_Grequest_complete(request, ierror)
  call MPI_Wait(request, status, ierror)
  call MPI_Get_elements(status, MPI_INTEGER, count, ierror)
  good = good .and. status(MPI_SOURCE) == 3 .and. status(MPI_TAG) == 4 .and. count == 5
  call seen_by_c(right)
  good = good .and. right /= 0
  call MPI_Comm_create_errhandler(handle, handler, ierror)
  call MPI_Op_create(add_sevens, .true., op, ierror)
  call MPI_Comm_create_keyval(copy, removed, key, 0_MPI_ADDRESS_KIND, ierror)
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, plain_key, 0_MPI_ADDRESS_KIND, ierror)
  call MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, old_key, 0, ierror)
  call MPI_Attr_put(MPI_COMM_WORLD, old_key, -4, ierror)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, -5000000000_MPI_ADDRESS_KIND, ierror)
  call used_by_c(handler, op, key, plain_key, old_key)
  call seen_by_c(right)
  good = good .and. right /= 0 .and. errors == 1 .and. copied == 1 .and. deleted == 2
  print '(a)', trim(merge('right', 'wrong', good))
  call MPI_Finalize(ierror)
end program
"""


def test_callbacks_of_each_language_are_called_from_the_other(run_command, path_env, hindcast, tmp_path):
    done = run_together(C_PART, FORTRAN_PART, run_command, path_env, hindcast, tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == ("right\n" * 2, "", 0)


TYPES = """program both
  use mpi
  implicit none
  type(MPI_Comm) :: world, other
  type(MPI_Datatype) :: type
  type(MPI_Errhandler) :: handler
  type(MPI_File) :: file
  type(MPI_Group) :: group
  type(MPI_Info) :: info
  type(MPI_Message) :: message
  type(MPI_Op) :: op
  type(MPI_Request) :: request
  type(MPI_Win) :: win
  type(MPI_Status) :: status
  integer :: size, ierror
  world%MPI_VAL = MPI_COMM_WORLD
  other%MPI_VAL = MPI_COMM_SELF
  type%MPI_VAL = MPI_INTEGER
  handler%MPI_VAL = MPI_ERRORS_RETURN
  file%MPI_VAL = MPI_FILE_NULL
  group%MPI_VAL = MPI_GROUP_EMPTY
  info%MPI_VAL = MPI_INFO_NULL
  message%MPI_VAL = MPI_MESSAGE_NULL
  op%MPI_VAL = MPI_SUM
  request%MPI_VAL = MPI_REQUEST_NULL
  win%MPI_VAL = MPI_WIN_NULL
  status%MPI_TAG = 3
  call MPI_Init(ierror)
  call by_mpi_f08(world, status, size)
  if (world == world .and. world /= other .and. .not. world == other .and. type == type .and. handler == handler .and. &
      file == file .and. group == group .and. info == info .and. message == message .and. op == op .and. &
      request == request .and. win == win .and. size == 3 .and. status%MPI_TAG == 4) print '(a)', 'right'
  call MPI_Finalize(ierror)
end program

subroutine by_mpi_f08(comm, status, size)
  use mpi_f08
  implicit none
  type(MPI_Comm) :: comm
  type(MPI_Status) :: status
  integer :: size
  call MPI_Comm_size(comm, size)
  status%MPI_TAG = status%MPI_TAG + 1
end subroutine
"""


def test_the_module_mpi_has_the_types_of_mpi_f08(run_program):
    done = run_program(TYPES, 3, fortran=True, flags=["-Wall", "-Wextra", "-Werror"])
    assert (done.stdout, done.stderr, done.returncode) == ("right\n" * 3, "", 0)


MESSAGES_IN_C = """#include <mpi.h>
/* Sends what the datatype says, which Fortran has made of addresses, and receives the same numbers by types of C's. */
void exchanged_by_c_(MPI_Fint* type, int* other, int* good) {
  struct { int number; double values[2]; } got = {0, {0, 0}};
  int lengths[2] = {1, 2};
  MPI_Aint places[2] = {0, (char*)got.values - (char*)&got};
  MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, mine;
  MPI_Type_create_struct(2, lengths, places, types, &mine);
  MPI_Type_commit(&mine);
  MPI_Sendrecv(MPI_BOTTOM, 1, MPI_Type_f2c(*type), *other, 1, &got, 1, mine, *other, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Type_free(&mine);
  *good = got.number == 10 + *other && got.values[0] == 0.5 && got.values[1] == 0.25;
}
void sent_by_c_(int* other) {
  const int numbers[3] = {1, 2, *other};
  MPI_Send(numbers, 3, MPI_INT, *other, 2, MPI_COMM_WORLD);
}
"""
MESSAGES_IN_FORTRAN = """program both
  use mpi
  implicit none
  integer, save :: number
  double precision, save :: values(2)
  integer :: me, type, good, got(3), ierror
  integer(MPI_ADDRESS_KIND) :: places(2)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  number = 10 + me
  values = [0.5d0, 0.25d0]
  call MPI_Get_address(number, places(1), ierror)
  call MPI_Get_address(values, places(2), ierror)
  call MPI_Type_create_struct(2, [1, 2], places, [MPI_INTEGER, MPI_DOUBLE_PRECISION], type, ierror)
  call MPI_Type_commit(type, ierror)
  call exchanged_by_c(type, 1 - me, good)
  call sent_by_c(1 - me)
  call MPI_Recv(got, 3, MPI_INTEGER, 1 - me, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  print '(a)', trim(merge('right', 'wrong', good /= 0 .and. all(got == [1, 2, me])))
  call MPI_Type_free(type, ierror)
  call MPI_Finalize(ierror)
end program
"""


def test_what_one_language_sends_the_other_receives(run_command, path_env, hindcast, tmp_path):
    done = run_together(MESSAGES_IN_C, MESSAGES_IN_FORTRAN, run_command, path_env, hindcast, tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == ("right\n" * 2, "", 0)
