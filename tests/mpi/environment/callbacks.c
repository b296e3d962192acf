/* ranks: 1 3
 * Callbacks that make calls of MPI's themselves: a library's communicator that is cached with the user's, duplicated
 * and freed with it; attributes changed while they are deleted; error handlers that communicate, fail, and are
 * replaced. */
#include "check.h"

#include <setjmp.h>

static int library_key, other_key, copies, deletions;

/* Every rank's next but one hears of it. */
static void talk(MPI_Comm comm, int tag) {
  int rank, size, sent[2], received[2];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  fill(sent, 2, rank, tag);
  MPI_Sendrecv(sent, 2, MPI_INT, (rank + 2) % size, tag, received, 2, MPI_INT, (rank + 2 * size - 2) % size, tag, comm,
               MPI_STATUS_IGNORE);
  check_elements(received, 2, (rank + 2 * size - 2) % size, tag);
}

static int duplicate_cached(MPI_Comm comm, int key, void* state, void* value, void* copy, int* flag) {
  MPI_Comm* duplicate = malloc(sizeof *duplicate);
  CHECK_INT(key, library_key);
  CHECK(state == &copies);
  MPI_Comm_dup(*(MPI_Comm*)value, duplicate);
  talk(*duplicate, 1);
  talk(comm, 2);
  *(void**)copy = duplicate;
  *flag = 1;
  ++copies;
  return MPI_SUCCESS;
}

static int free_cached(MPI_Comm comm, int key, void* value, void* state) {
  CHECK_INT(key, library_key);
  CHECK(state == &copies);
  talk(comm, 3);
  talk(*(MPI_Comm*)value, 4);
  MPI_Comm_free(value);
  free(value);
  ++deletions;
  return MPI_SUCCESS;
}

static void library_communicators(void) {
  MPI_Comm comm, copy, *cached = malloc(sizeof *cached), *found;
  int flag, result;
  MPI_Comm_create_keyval(duplicate_cached, free_cached, &library_key, &copies);
  const int kept = library_key;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_dup(comm, cached);
  MPI_Comm_set_attr(comm, library_key, cached);
  MPI_Comm_free_keyval(&library_key); /* goes with the last attribute */
  CHECK_INT(library_key, MPI_KEYVAL_INVALID);
  library_key = kept;
  MPI_Comm_dup(comm, &copy);
  CHECK_INT(copies, 1);
  MPI_Comm_get_attr(copy, library_key, &found, &flag);
  CHECK(flag && found != cached);
  MPI_Comm_compare(*found, *cached, &result);
  CHECK_INT(result, MPI_CONGRUENT);
  MPI_Comm_free(&comm);
  CHECK_INT(deletions, 1);
  talk(copy, 5);
  MPI_Comm_free(&copy);
  CHECK_INT(deletions, 2);
}

/* Deletes the other attribute while its own is deleted. */
static int delete_other(MPI_Comm comm, int key, void* value, void* state) {
  void* found;
  int flag;
  (void)value;
  (void)state;
  MPI_Comm_get_attr(comm, other_key, &found, &flag);
  if (key != other_key && flag) MPI_Comm_delete_attr(comm, other_key);
  ++deletions;
  return MPI_SUCCESS;
}

static void attributes_that_delete_attributes(void) {
  MPI_Comm comm;
  int key;
  deletions = 0;
  for (int other_is_first = 0; other_is_first < 2; ++other_is_first) {
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, delete_other, &key, NULL);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, delete_other, &other_key, NULL);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_set_attr(comm, other_is_first ? other_key : key, NULL);
    MPI_Comm_set_attr(comm, other_is_first ? key : other_key, NULL);
    MPI_Comm_free(&comm);
    CHECK_INT(deletions, 2 * (other_is_first + 1));
    MPI_Comm_free_keyval(&key);
    MPI_Comm_free_keyval(&other_key);
  }
}

static int handled, depth;
static jmp_buf way_out;

/* Communicates, and makes a mistake of its own the first time. */
static void careless(MPI_Comm* comm, int* code, ...) {
  ++handled;
  FAILS(*code, MPI_ERR_TAG);
  talk(*comm, 6);
  if (depth++ == 0) FAILS(MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, -5, *comm), MPI_ERR_TAG);
}

/* Puts another in its place. */
static void once(MPI_Comm* comm, int* code, ...) {
  FAILS(*code, MPI_ERR_RANK);
  ++handled;
  MPI_Comm_set_errhandler(*comm, MPI_ERRORS_RETURN);
}

static void jumping(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  longjmp(way_out, *code);
}

static void error_handlers(void) {
  MPI_Comm comm;
  MPI_Errhandler handler;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(careless, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Errhandler_free(&handler);
  FAILS(MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, -4, comm), MPI_ERR_TAG);
  CHECK_INT(handled, 2);
  MPI_Comm_create_errhandler(once, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Errhandler_free(&handler); /* it goes while it runs */
  for (int i = 0; i < 2; ++i) FAILS(MPI_Send(NULL, 0, MPI_INT, world_size(), 0, comm), MPI_ERR_RANK);
  CHECK_INT(handled, 3);
  MPI_Comm_create_errhandler(jumping, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  const int code = setjmp(way_out);
  if (code == 0) {
    MPI_Recv(NULL, -1, MPI_INT, MPI_PROC_NULL, 0, comm, MPI_STATUS_IGNORE);
    CHECK(0);
  }
  FAILS(code, MPI_ERR_COUNT);
  talk(comm, 7);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  library_communicators();
  attributes_that_delete_attributes();
  error_handlers();
  return finish();
}
