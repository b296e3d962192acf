/* ranks: 1 2
 * Error classes and codes: every class of the standard's is a code of its own class, and has a text; those that the
 * program adds have what it says. Handlers that are called by the program; memory that there is not, or must be
 * aligned. */
#include "check.h"

#include <stdint.h>
#include <string.h>

static const int classes[] = {
    MPI_SUCCESS,
    MPI_ERR_BUFFER,
    MPI_ERR_COUNT,
    MPI_ERR_TYPE,
    MPI_ERR_TAG,
    MPI_ERR_COMM,
    MPI_ERR_RANK,
    MPI_ERR_REQUEST,
    MPI_ERR_ROOT,
    MPI_ERR_GROUP,
    MPI_ERR_OP,
    MPI_ERR_TOPOLOGY,
    MPI_ERR_DIMS,
    MPI_ERR_ARG,
    MPI_ERR_UNKNOWN,
    MPI_ERR_TRUNCATE,
    MPI_ERR_OTHER,
    MPI_ERR_INTERN,
    MPI_ERR_IN_STATUS,
    MPI_ERR_PENDING,
    MPI_ERR_KEYVAL,
    MPI_ERR_NO_MEM,
    MPI_ERR_BASE,
    MPI_ERR_INFO_KEY,
    MPI_ERR_INFO_VALUE,
    MPI_ERR_INFO_NOKEY,
    MPI_ERR_SPAWN,
    MPI_ERR_PORT,
    MPI_ERR_SERVICE,
    MPI_ERR_NAME,
    MPI_ERR_WIN,
    MPI_ERR_SIZE,
    MPI_ERR_DISP,
    MPI_ERR_INFO,
    MPI_ERR_LOCKTYPE,
    MPI_ERR_ASSERT,
    MPI_ERR_RMA_CONFLICT,
    MPI_ERR_RMA_SYNC,
    MPI_ERR_RMA_RANGE,
    MPI_ERR_RMA_ATTACH,
    MPI_ERR_RMA_SHARED,
    MPI_ERR_RMA_FLAVOR,
    MPI_ERR_FILE,
    MPI_ERR_NOT_SAME,
    MPI_ERR_AMODE,
    MPI_ERR_UNSUPPORTED_DATAREP,
    MPI_ERR_UNSUPPORTED_OPERATION,
    MPI_ERR_NO_SUCH_FILE,
    MPI_ERR_FILE_EXISTS,
    MPI_ERR_BAD_FILE,
    MPI_ERR_ACCESS,
    MPI_ERR_NO_SPACE,
    MPI_ERR_QUOTA,
    MPI_ERR_READ_ONLY,
    MPI_ERR_FILE_IN_USE,
    MPI_ERR_DUP_DATAREP,
    MPI_ERR_CONVERSION,
    MPI_ERR_IO,
    MPI_T_ERR_MEMORY,
    MPI_T_ERR_NOT_INITIALIZED,
    MPI_T_ERR_CANNOT_INIT,
    MPI_T_ERR_INVALID_INDEX,
    MPI_T_ERR_INVALID_ITEM,
    MPI_T_ERR_INVALID_HANDLE,
    MPI_T_ERR_OUT_OF_HANDLES,
    MPI_T_ERR_OUT_OF_SESSIONS,
    MPI_T_ERR_INVALID_SESSION,
    MPI_T_ERR_CVAR_SET_NOT_NOW,
    MPI_T_ERR_CVAR_SET_NEVER,
    MPI_T_ERR_PVAR_NO_STARTSTOP,
    MPI_T_ERR_PVAR_NO_WRITE,
    MPI_T_ERR_PVAR_NO_ATOMIC,
    MPI_T_ERR_INVALID_NAME,
    MPI_T_ERR_INVALID,
};

static void expect_text(int code, const char* expected) {
  char text[MPI_MAX_ERROR_STRING];
  int length = -1;
  memset(text, '?', sizeof text);
  CHECK_INT(MPI_Error_string(code, text, &length), MPI_SUCCESS);
  CHECK(memchr(text, '\0', sizeof text) != NULL);
  CHECK_INT(strlen(text), length);
  CHECK(expected != NULL ? strcmp(text, expected) == 0 : length > 0);
}

static void predefined_classes(void) {
  const int count = (int)(sizeof classes / sizeof *classes);
  CHECK_INT(MPI_SUCCESS, 0);
  for (int i = 0; i < count; ++i) {
    CHECK(classes[i] >= 0 && classes[i] <= MPI_ERR_LASTCODE);
    CHECK_INT(class_of(classes[i]), classes[i]);
    expect_text(classes[i], NULL);
    for (int j = 0; j < i; ++j) CHECK(classes[i] != classes[j]);
  }
  CHECK_INT(class_of(MPI_ERR_LASTCODE), MPI_ERR_LASTCODE);
}

/* MPI_LASTUSEDCODE begins with the last code of the standard's, and goes on with each that is added. */
static int last_used(void) {
  int *value, flag = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag);
  CHECK(flag);
  return *value;
}

static void added_classes_and_codes(void) {
  static char long_text[2 * MPI_MAX_ERROR_STRING];
  int first, second, codes[2], of_predefined;
  CHECK_INT(last_used(), MPI_ERR_LASTCODE);
  MPI_Add_error_class(&first);
  CHECK(first > MPI_ERR_LASTCODE);
  CHECK_INT(last_used(), first);
  for (int i = 0; i < 2; ++i) MPI_Add_error_code(first, &codes[i]);
  CHECK(codes[0] > first && codes[1] > codes[0]);
  CHECK_INT(last_used(), codes[1]);
  MPI_Add_error_class(&second);
  CHECK(second > codes[1]);
  MPI_Add_error_code(MPI_ERR_TAG, &of_predefined);
  CHECK_INT(class_of(first), first);
  CHECK_INT(class_of(codes[0]), first);
  CHECK_INT(class_of(codes[1]), first);
  CHECK_INT(class_of(second), second);
  CHECK_INT(class_of(of_predefined), MPI_ERR_TAG);
  expect_text(first, ""); /* none has been said */
  expect_text(codes[1], "");
  MPI_Add_error_string(codes[1], "the first text");
  MPI_Add_error_string(codes[1], "another text");
  expect_text(codes[1], "another text");
  expect_text(codes[0], "");
  MPI_Add_error_string(codes[1], "");
  expect_text(codes[1], "");
  memset(long_text, 'e', sizeof long_text - 1);
  if (MPI_Add_error_string(second, long_text) == MPI_SUCCESS) expect_text(second, NULL); /* cut */
  FAILS(MPI_Add_error_string(MPI_ERR_LASTCODE, "mine"), MPI_ERR_ARG);
  FAILS(MPI_Add_error_string(MPI_SUCCESS, "mine"), MPI_ERR_ARG);
}

static int calls;
static void of_comm(MPI_Comm* comm, int* code, ...) { calls += *comm != MPI_COMM_NULL && *code == MPI_ERR_IO; }
static void of_win(MPI_Win* win, int* code, ...) { calls += *win != MPI_WIN_NULL && *code == MPI_ERR_IO; }
static void of_file(MPI_File* file, int* code, ...) { calls += *file == MPI_FILE_NULL && *code == MPI_ERR_IO; }

/* The call is a success if the handler comes back; a window begins with a handler that is fatal, whatever its
 * communicator has. */
static void called_by_the_program(void) {
  MPI_Comm comm;
  MPI_Win win;
  MPI_Errhandler handlers[3], found;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, comm, &win);
  MPI_Win_get_errhandler(win, &found);
  CHECK(found == MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&found);
  MPI_Comm_create_errhandler(of_comm, &handlers[0]);
  MPI_Win_create_errhandler(of_win, &handlers[1]);
  MPI_File_create_errhandler(of_file, &handlers[2]);
  MPI_Comm_set_errhandler(comm, handlers[0]);
  MPI_Win_set_errhandler(win, handlers[1]);
  MPI_File_set_errhandler(MPI_FILE_NULL, handlers[2]);
  for (int i = 0; i < 3; ++i) MPI_Errhandler_free(&handlers[i]);
  CHECK_INT(MPI_Comm_call_errhandler(comm, MPI_ERR_IO), MPI_SUCCESS);
  CHECK_INT(MPI_Win_call_errhandler(win, MPI_ERR_IO), MPI_SUCCESS);
  CHECK_INT(MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_IO), MPI_SUCCESS);
  CHECK_INT(calls, 3);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
  CHECK_INT(MPI_Comm_call_errhandler(comm, MPI_ERR_IO), MPI_SUCCESS);
  CHECK_INT(MPI_Win_call_errhandler(win, MPI_ERR_IO), MPI_SUCCESS);
  CHECK_INT(MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_IO), MPI_SUCCESS);
  MPI_Win_free(&win);
  MPI_Comm_free(&comm);
}

static int is_aligned(const void* memory, size_t bytes) { return (uintptr_t)memory % bytes == 0; }

static void memory(void) {
  void* got;
  MPI_Info info;
  MPI_Win win;
  FAILS(MPI_Alloc_mem((MPI_Aint)1 << 61, MPI_INFO_NULL, &got), MPI_ERR_NO_MEM);
  MPI_Alloc_mem(0, MPI_INFO_NULL, &got);
  CHECK_INT(MPI_Free_mem(got), MPI_SUCCESS);
  MPI_Info_create(&info);
  for (int bytes = 1; bytes <= 65536; bytes *= 4) {
    char text[16];
    sprintf(text, "%d", bytes);
    MPI_Info_set(info, "mpi_minimum_memory_alignment", text);
    MPI_Alloc_mem(100, info, &got);
    CHECK(is_aligned(got, (size_t)bytes));
    MPI_Free_mem(got);
    MPI_Win_allocate(100, 1, info, MPI_COMM_WORLD, &got, &win);
    CHECK(is_aligned(got, (size_t)bytes));
    MPI_Win_free(&win);
    MPI_Win_allocate_shared(100, 1, info, MPI_COMM_SELF, &got, &win);
    CHECK(is_aligned(got, (size_t)bytes));
    MPI_Win_free(&win);
  }
  MPI_Info_set(info, "mpi_minimum_memory_alignment", "three"); /* a hint that makes no sense is none */
  CHECK_INT(MPI_Alloc_mem(100, info, &got), MPI_SUCCESS);
  MPI_Free_mem(got);
  MPI_Info_free(&info);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  predefined_classes();
  added_classes_and_codes();
  called_by_the_program();
  memory();
  return finish();
}
