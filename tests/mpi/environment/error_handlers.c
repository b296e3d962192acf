/* ranks: 2
 * Error handlers: which one is called, with what; kept by copies of a communicator; codes and texts of the program's
 * own. */
#include "check.h"

#include <string.h>

static int calls, last_code;
static MPI_Comm last_comm;

static void count_call(MPI_Comm* comm, int* code, ...) {
  ++calls;
  last_comm = *comm;
  last_code = *code;
}

static void expect(int n, MPI_Comm comm, int code) {
  CHECK_INT(calls, n);
  CHECK(last_comm == comm);
  CHECK_INT(last_code, code);
}

static void own_codes(void) {
  int own_class, code, error_class, length;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Add_error_class(&own_class);
  CHECK(own_class > MPI_ERR_LASTCODE);
  MPI_Add_error_code(own_class, &code);
  MPI_Add_error_string(code, "the moon is full");
  MPI_Error_class(code, &error_class);
  CHECK_INT(error_class, own_class);
  MPI_Error_string(code, text, &length);
  CHECK(strcmp(text, "the moon is full") == 0 && length == (int)strlen(text));
  MPI_Error_string(MPI_ERR_RANK, text, &length);
  CHECK(strstr(text, "MPI_ERR_RANK") != NULL && length == (int)strlen(text));
  const int before = calls;
  MPI_Comm_call_errhandler(MPI_COMM_WORLD, code);
  expect(before + 1, MPI_COMM_WORLD, code);
}

static void old_names(void) {
  MPI_Errhandler handler, found;
  const int before = calls;
  MPI_Errhandler_create(count_call, &handler);
  MPI_Errhandler_set(MPI_COMM_SELF, handler);
  MPI_Errhandler_get(MPI_COMM_SELF, &found);
  CHECK(found == handler);
  MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_SELF);
  expect(before + 1, MPI_COMM_SELF, MPI_ERR_RANK);
  MPI_Errhandler_set(MPI_COMM_SELF, MPI_ERRORS_RETURN); /* the old one lives on by its two handles */
  MPI_Errhandler_free(&found);
  MPI_Errhandler_set(MPI_COMM_SELF, handler);
  MPI_Errhandler_free(&handler);
  CHECK(handler == MPI_ERRHANDLER_NULL);
  MPI_Errhandler_get(MPI_COMM_WORLD, &found); /* predefined ones can be given back too */
  MPI_Errhandler_set(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&found);
}

static MPI_File last_file;
static void count_file_call(MPI_File* file, int* code, ...) {
  ++calls;
  last_file = *file;
  last_code = *code;
}
static void count_window_call(MPI_Win* win, int* code, ...) {
  (void)win;
  (void)code;
  ++calls;
}

/* MPI_FILE_NULL stands for the files that will be opened; its first handler returns. Those of one kind of object are no
 * good for another. */
static void other_kinds(void) {
  MPI_Errhandler of_files, of_windows, found;
  const int before = calls;
  MPI_File_get_errhandler(MPI_FILE_NULL, &found);
  CHECK(found == MPI_ERRORS_RETURN);
  MPI_Errhandler_free(&found);
  MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_ARG);
  CHECK_INT(calls, before);
  MPI_File_create_errhandler(count_file_call, &of_files);
  MPI_Win_create_errhandler(count_window_call, &of_windows);
  MPI_File_set_errhandler(MPI_FILE_NULL, of_files);
  MPI_File_get_errhandler(MPI_FILE_NULL, &found);
  CHECK(found == of_files);
  MPI_Errhandler_free(&found);
  MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_NO_SPACE);
  CHECK_INT(calls, before + 1);
  CHECK(last_file == MPI_FILE_NULL);
  CHECK_INT(last_code, MPI_ERR_NO_SPACE);

  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  FAILS(MPI_Comm_set_errhandler(MPI_COMM_SELF, of_files), MPI_ERR_ARG);
  FAILS(MPI_Comm_set_errhandler(MPI_COMM_SELF, of_windows), MPI_ERR_ARG);
  FAILS(MPI_Errhandler_set(MPI_COMM_SELF, of_windows), MPI_ERR_ARG);
  FAILS(MPI_File_set_errhandler(MPI_FILE_NULL, of_windows), MPI_ERR_ARG);
  FAILS(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRHANDLER_NULL), MPI_ERR_ARG);
  FAILS(MPI_File_set_errhandler((MPI_File)MPI_COMM_WORLD, of_files), MPI_ERR_FILE);
  FAILS(MPI_File_get_errhandler((MPI_File)MPI_COMM_WORLD, &found), MPI_ERR_FILE);
  FAILS(MPI_File_call_errhandler((MPI_File)MPI_COMM_WORLD, MPI_ERR_IO), MPI_ERR_FILE);
  FAILS(MPI_File_create_errhandler(NULL, &found), MPI_ERR_ARG);
  FAILS(MPI_Win_create_errhandler(NULL, &found), MPI_ERR_ARG);
  CHECK_INT(calls, before + 6); /* MPI_FILE_NULL's is called where there is no file, too */
  MPI_Errhandler_free(&of_windows);
  MPI_Errhandler_free(&of_files); /* MPI_FILE_NULL still has it */
  MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_IO);
  CHECK_INT(calls, before + 7);
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
}

/* The object's, and MPI_COMM_WORLD's where there is none. */
static void own_handlers(void) {
  MPI_Errhandler handler, found;
  MPI_Comm copy;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &found);
  CHECK(found == MPI_ERRORS_ARE_FATAL);
  MPI_Comm_create_errhandler(count_call, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &found);
  CHECK(found == handler);
  MPI_Errhandler_free(&found);
  CHECK(found == MPI_ERRHANDLER_NULL);
  MPI_Errhandler_free(&handler); /* the communicator still has it */
  CHECK_INT(MPI_Send(NULL, 0, MPI_INT, 9, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
  expect(1, MPI_COMM_WORLD, MPI_ERR_RANK);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Send(NULL, -1, MPI_INT, 0, 0, copy);
  expect(2, copy, MPI_ERR_COUNT);
  MPI_Errhandler_set(copy, MPI_ERRORS_RETURN); /* by its old name */
  CHECK_INT(MPI_Send(NULL, -1, MPI_INT, 0, 0, copy), MPI_ERR_COUNT);
  CHECK_INT(calls, 2);
  /* without a communicator: MPI_COMM_WORLD's */
  MPI_Request stale = 4711;
  CHECK_INT(MPI_Wait(&stale, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
  expect(3, MPI_COMM_WORLD, MPI_ERR_REQUEST);
  /* a request's communicator */
  int value;
  MPI_Comm_create_errhandler(count_call, &handler);
  MPI_Comm_set_errhandler(copy, handler);
  MPI_Request request;
  const int two[2] = {1, 2};
  MPI_Irecv(&value, 1, MPI_INT, world_rank(), 0, copy, &request);
  MPI_Send(two, 2, MPI_INT, world_rank(), 0, copy);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect(4, copy, MPI_ERR_TRUNCATE);
  MPI_Comm_free(&copy);
  MPI_Errhandler_free(&handler);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  own_handlers();
  own_codes();
  old_names();
  other_kinds();
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  return finish();
}
