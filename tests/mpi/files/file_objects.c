/* ranks: 1 2 5
 * Files opened, closed, deleted, sized, and what belongs to them. */
#include "own_files.h"

static int rank, size;

static int exists(const char* name) { return access(name, F_OK) == 0; }

static MPI_Offset size_of(MPI_File file) {
  MPI_Offset bytes;
  MPI_File_get_size(file, &bytes);
  return bytes;
}

static void test_modes(void) {
  const char* name = own_name("modes");
  int mode;
  MPI_File file = open_file(name, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY);
  CHECK(exists(name));
  MPI_File_get_amode(file, &mode);
  CHECK_INT(mode, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY);
  CHECK_INT(size_of(file), 0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_write_at(file, 4 * rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  CHECK(file == MPI_FILE_NULL);
  /* what is appended comes after all that there is */
  file = open_file(name, MPI_MODE_APPEND | MPI_MODE_RDWR);
  MPI_Offset at, shared;
  MPI_File_get_position_shared(file, &shared);
  CHECK_INT(shared, 4 * size);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_close(&file);
  /* where a rank's own begins, whatever others have done by then */
  file = open_file(name, MPI_MODE_APPEND | MPI_MODE_RDWR);
  MPI_File_write_shared(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_get_position(file, &at);
  CHECK_INT(at, 4 * size);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_set_size(file, 4 * size);
  MPI_File_close(&file);
  file = open_file(name, MPI_MODE_RDONLY | MPI_MODE_UNIQUE_OPEN | MPI_MODE_DELETE_ON_CLOSE);
  int found = -1;
  MPI_File_read_at(file, 4 * ((rank + 1) % size), &found, 1, MPI_INT, MPI_STATUS_IGNORE);
  CHECK_INT(found, (rank + 1) % size);
  MPI_File_close(&file);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(!exists(name));
}

/* Each rank has one of its own, and the same name opens a file of everybody's twice. */
static void test_communicators(void) {
  char name[240];
  snprintf(name, sizeof name, "%s-%d", own_name("own"), rank);
  MPI_File file, other;
  MPI_Group group, of_comm;
  int result;
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_write(file, name, 10, MPI_CHAR, MPI_STATUS_IGNORE);
  CHECK_INT(size_of(file), 10);
  MPI_File_get_group(file, &group);
  MPI_Comm_group(MPI_COMM_SELF, &of_comm);
  MPI_Group_compare(group, of_comm, &result);
  CHECK_INT(result, MPI_IDENT);
  MPI_Group_free(&group);
  MPI_Group_free(&of_comm);
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &other);
  CHECK(other != file);
  char found[11] = {0};
  MPI_File_read(other, found, 10, MPI_CHAR, MPI_STATUS_IGNORE);
  CHECK(memcmp(found, name, 10) == 0);
  MPI_File_close(&other);
  MPI_File_close(&file);
  CHECK_INT(MPI_File_delete(name, MPI_INFO_NULL), MPI_SUCCESS);
  CHECK(!exists(name));
  FAILS(MPI_File_delete(name, MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
}

static void test_sizes(void) {
  const char* name = own_name("sizes");
  MPI_File file = open_file(name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  MPI_File_set_size(file, 100);
  CHECK_INT(size_of(file), 100);
  MPI_File_preallocate(file, 5000);
  CHECK_INT(size_of(file), 5000);
  MPI_File_preallocate(file, 10); /* it has them */
  MPI_File_preallocate(file, 0);
  CHECK_INT(size_of(file), 5000);
  MPI_File_set_size(file, 8);
  char bytes[20];
  MPI_Status status;
  memset(bytes, 'x', sizeof bytes);
  MPI_File_read_at(file, 0, bytes, 20, MPI_CHAR, &status);
  CHECK_INT(count_in(&status, MPI_CHAR), 8);
  CHECK(bytes[0] == 0 && bytes[7] == 0 && bytes[8] == 'x');
  MPI_File_set_size(file, 0);
  CHECK_INT(size_of(file), 0);
  MPI_File_close(&file);
}

/* Hints are kept, and the permissions of a new file are as one of them says. */
static void test_hints(void) {
  const char* name = own_name("hints");
  MPI_Info info, used;
  char value[40];
  int flag;
  MPI_File file;
  MPI_Info_create(&info);
  MPI_Info_set(info, "file_perm", "600");
  MPI_Info_set(info, "cb_nodes", "4");
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info, &file);
  MPI_Info_set(info, "cb_nodes", "2");
  MPI_File_set_info(file, info);
  MPI_Info_free(&info);
  MPI_File_get_info(file, &used);
  MPI_Info_get(used, "cb_nodes", 39, value, &flag);
  CHECK(flag && strcmp(value, "2") == 0);
  MPI_Info_get(used, "file_perm", 39, value, &flag);
  CHECK(flag && strcmp(value, "600") == 0);
  MPI_Info_free(&used);
  MPI_File_close(&file);
  /* of a file that was given none */
  file = open_file(name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  MPI_File_get_info(file, &used);
  CHECK(used != MPI_INFO_NULL);
  MPI_Info_free(&used);
  MPI_File_close(&file);
}

static int handled;
static MPI_File handled_file;
static void handle(MPI_File* file, int* code, ...) {
  handled = class_of(*code);
  handled_file = *file;
}

/* A file has the handler that MPI_FILE_NULL had when it was opened. */
static void test_errhandlers(void) {
  const char* name = own_name("errors");
  MPI_Errhandler handler, found;
  MPI_File file, none;
  MPI_File_create_errhandler(handle, &handler);
  MPI_File_set_errhandler(MPI_FILE_NULL, handler);
  file = open_file(name, MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE);
  MPI_File_get_errhandler(file, &found);
  CHECK(found == handler);
  MPI_Errhandler_free(&found);
  MPI_File_open(MPI_COMM_WORLD, "/no such folder/no file", MPI_MODE_RDONLY, MPI_INFO_NULL, &none);
  CHECK_INT(handled, MPI_ERR_NO_SUCH_FILE);
  CHECK(handled_file == MPI_FILE_NULL && none == MPI_FILE_NULL);
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
  MPI_File_read(file, &handled, 1, MPI_INT, MPI_STATUS_IGNORE);
  CHECK_INT(handled, MPI_ERR_ACCESS);
  CHECK(handled_file == file);
  MPI_File_call_errhandler(file, MPI_ERR_QUOTA);
  CHECK_INT(handled, MPI_ERR_QUOTA);
  MPI_File_set_errhandler(file, MPI_ERRORS_RETURN);
  handled = 0;
  FAILS(MPI_File_read(file, &handled, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_ACCESS);
  CHECK_INT(handled, 0);
  MPI_Errhandler_free(&handler);
  MPI_File_close(&file);
}

static void test_consistency(void) {
  const char* name = own_name("atomic");
  MPI_File file = open_file(name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  int flag = 7;
  MPI_File_get_atomicity(file, &flag);
  CHECK_INT(flag, 0);
  MPI_File_set_atomicity(file, 5);
  MPI_File_get_atomicity(file, &flag);
  CHECK(flag != 0);
  MPI_File_write_at(file, 4 * rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);
  for (int of = 0; of < size; ++of) {
    int found = -1;
    MPI_File_read_at(file, 4 * of, &found, 1, MPI_INT, MPI_STATUS_IGNORE);
    CHECK_INT(found, of);
  }
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = world_rank();
  size = world_size();
  test_modes();
  test_communicators();
  test_sizes();
  test_hints();
  test_errhandlers();
  test_consistency();
  return finish_with_files();
}
