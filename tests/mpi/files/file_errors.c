/* ranks: 1 2 3
 * What is wrong with files or with what is done to them, each with the standard's class of error. */
#include "own_files.h"

static int rank, size, one, flag;
static MPI_File gone = MPI_FILE_NULL;
static MPI_Status status;
static MPI_Request request;
static MPI_Offset at;

/* Of a file that is not there, or no more. */
static void test_handles(void) {
  MPI_Group group;
  MPI_Info info;
  MPI_Aint extent;
  MPI_Datatype etype, filetype;
  MPI_Errhandler handler;
  char name[MPI_MAX_DATAREP_STRING];
  MPI_File copy = gone;
  FAILS(MPI_File_close(&copy), MPI_ERR_FILE);
  FAILS(MPI_File_set_size(gone, 1), MPI_ERR_FILE);
  FAILS(MPI_File_preallocate(gone, 1), MPI_ERR_FILE);
  FAILS(MPI_File_get_size(gone, &at), MPI_ERR_FILE);
  FAILS(MPI_File_get_group(gone, &group), MPI_ERR_FILE);
  FAILS(MPI_File_get_amode(gone, &flag), MPI_ERR_FILE);
  FAILS(MPI_File_get_amode(MPI_FILE_NULL, &flag), MPI_ERR_FILE);
  FAILS(MPI_File_set_info(gone, MPI_INFO_ENV), MPI_ERR_FILE);
  FAILS(MPI_File_get_info(gone, &info), MPI_ERR_FILE);
  FAILS(MPI_File_set_errhandler(gone, MPI_ERRORS_RETURN), MPI_ERR_FILE);
  FAILS(MPI_File_get_errhandler(gone, &handler), MPI_ERR_FILE);
  FAILS(MPI_File_call_errhandler(gone, MPI_ERR_IO), MPI_ERR_FILE);
  FAILS(MPI_File_set_view(gone, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL), MPI_ERR_FILE);
  FAILS(MPI_File_get_view(gone, &at, &etype, &filetype, name), MPI_ERR_FILE);
  FAILS(MPI_File_seek(gone, 0, MPI_SEEK_SET), MPI_ERR_FILE);
  FAILS(MPI_File_get_position(gone, &at), MPI_ERR_FILE);
  FAILS(MPI_File_get_byte_offset(gone, 0, &at), MPI_ERR_FILE);
  FAILS(MPI_File_seek_shared(gone, 0, MPI_SEEK_SET), MPI_ERR_FILE);
  FAILS(MPI_File_get_position_shared(gone, &at), MPI_ERR_FILE);
  FAILS(MPI_File_get_type_extent(gone, MPI_INT, &extent), MPI_ERR_FILE);
  FAILS(MPI_File_set_atomicity(gone, 1), MPI_ERR_FILE);
  FAILS(MPI_File_get_atomicity(gone, &flag), MPI_ERR_FILE);
  FAILS(MPI_File_sync(gone), MPI_ERR_FILE);
}

/* Every access, of a file that does not take it: as it is gone, or was opened otherwise. */
static void test_reads(MPI_File file, int is_gone) {
  FAILS(MPI_File_read_at(file, 0, &one, 1, MPI_INT, &status), is_gone ? MPI_ERR_FILE : MPI_ERR_ACCESS);
  FAILS(MPI_File_read_at_all(file, 0, &one, 1, MPI_INT, &status), is_gone ? MPI_ERR_FILE : MPI_ERR_ACCESS);
  FAILS(MPI_File_iread_at(file, 0, &one, 1, MPI_INT, &request), is_gone ? MPI_ERR_FILE : MPI_ERR_ACCESS);
  FAILS(MPI_File_iread_at_all(file, 0, &one, 1, MPI_INT, &request), is_gone ? MPI_ERR_FILE : MPI_ERR_ACCESS);
  FAILS(MPI_File_read(file, &one, 1, MPI_INT, &status), is_gone ? MPI_ERR_FILE : MPI_ERR_ACCESS);
  FAILS(MPI_File_read_all(file, &one, 1, MPI_INT, &status), is_gone ? MPI_ERR_FILE : MPI_ERR_ACCESS);
  FAILS(MPI_File_iread(file, &one, 1, MPI_INT, &request), is_gone ? MPI_ERR_FILE : MPI_ERR_ACCESS);
  FAILS(MPI_File_iread_all(file, &one, 1, MPI_INT, &request), is_gone ? MPI_ERR_FILE : MPI_ERR_ACCESS);
  FAILS(MPI_File_read_shared(file, &one, 1, MPI_INT, &status), is_gone ? MPI_ERR_FILE : MPI_ERR_ACCESS);
  FAILS(MPI_File_iread_shared(file, &one, 1, MPI_INT, &request), is_gone ? MPI_ERR_FILE : MPI_ERR_ACCESS);
  FAILS(MPI_File_read_ordered(file, &one, 1, MPI_INT, &status), is_gone ? MPI_ERR_FILE : MPI_ERR_ACCESS);
  FAILS(MPI_File_read_at_all_begin(file, 0, &one, 1, MPI_INT), is_gone ? MPI_ERR_FILE : MPI_ERR_ACCESS);
  FAILS(MPI_File_read_all_begin(file, &one, 1, MPI_INT), is_gone ? MPI_ERR_FILE : MPI_ERR_ACCESS);
  FAILS(MPI_File_read_ordered_begin(file, &one, 1, MPI_INT), is_gone ? MPI_ERR_FILE : MPI_ERR_ACCESS);
}

static void test_writes(MPI_File file, int is_gone) {
  FAILS(MPI_File_write_at(file, 0, &one, 1, MPI_INT, &status), is_gone ? MPI_ERR_FILE : MPI_ERR_READ_ONLY);
  FAILS(MPI_File_write_at_all(file, 0, &one, 1, MPI_INT, &status), is_gone ? MPI_ERR_FILE : MPI_ERR_READ_ONLY);
  FAILS(MPI_File_iwrite_at(file, 0, &one, 1, MPI_INT, &request), is_gone ? MPI_ERR_FILE : MPI_ERR_READ_ONLY);
  FAILS(MPI_File_iwrite_at_all(file, 0, &one, 1, MPI_INT, &request), is_gone ? MPI_ERR_FILE : MPI_ERR_READ_ONLY);
  FAILS(MPI_File_write(file, &one, 1, MPI_INT, &status), is_gone ? MPI_ERR_FILE : MPI_ERR_READ_ONLY);
  FAILS(MPI_File_write_all(file, &one, 1, MPI_INT, &status), is_gone ? MPI_ERR_FILE : MPI_ERR_READ_ONLY);
  FAILS(MPI_File_iwrite(file, &one, 1, MPI_INT, &request), is_gone ? MPI_ERR_FILE : MPI_ERR_READ_ONLY);
  FAILS(MPI_File_iwrite_all(file, &one, 1, MPI_INT, &request), is_gone ? MPI_ERR_FILE : MPI_ERR_READ_ONLY);
  FAILS(MPI_File_write_shared(file, &one, 1, MPI_INT, &status), is_gone ? MPI_ERR_FILE : MPI_ERR_READ_ONLY);
  FAILS(MPI_File_iwrite_shared(file, &one, 1, MPI_INT, &request), is_gone ? MPI_ERR_FILE : MPI_ERR_READ_ONLY);
  FAILS(MPI_File_write_ordered(file, &one, 1, MPI_INT, &status), is_gone ? MPI_ERR_FILE : MPI_ERR_READ_ONLY);
  FAILS(MPI_File_write_at_all_begin(file, 0, &one, 1, MPI_INT), is_gone ? MPI_ERR_FILE : MPI_ERR_READ_ONLY);
  FAILS(MPI_File_write_all_begin(file, &one, 1, MPI_INT), is_gone ? MPI_ERR_FILE : MPI_ERR_READ_ONLY);
  FAILS(MPI_File_write_ordered_begin(file, &one, 1, MPI_INT), is_gone ? MPI_ERR_FILE : MPI_ERR_READ_ONLY);
}

/* The second calls of those in two: there is no first one. */
static void test_ends(MPI_File file, int is_gone) {
  FAILS(MPI_File_read_at_all_end(file, &one, &status), is_gone ? MPI_ERR_FILE : MPI_ERR_OTHER);
  FAILS(MPI_File_write_at_all_end(file, &one, &status), is_gone ? MPI_ERR_FILE : MPI_ERR_OTHER);
  FAILS(MPI_File_read_all_end(file, &one, &status), is_gone ? MPI_ERR_FILE : MPI_ERR_OTHER);
  FAILS(MPI_File_write_all_end(file, &one, &status), is_gone ? MPI_ERR_FILE : MPI_ERR_OTHER);
  FAILS(MPI_File_read_ordered_end(file, &one, &status), is_gone ? MPI_ERR_FILE : MPI_ERR_OTHER);
  FAILS(MPI_File_write_ordered_end(file, &one, &status), is_gone ? MPI_ERR_FILE : MPI_ERR_OTHER);
}

static void test_gone(void) {
  test_handles();
  test_reads(gone, 1);
  test_writes(gone, 1);
  test_ends(gone, 1);
}

static int open_with(const char* name, int mode) {
  MPI_File file = gone;
  const int code = MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file);
  CHECK(code == MPI_SUCCESS || file == MPI_FILE_NULL);
  if (code == MPI_SUCCESS) MPI_File_close(&file);
  return code;
}

/* A failure is everybody's, whoever has found it. */
static void test_opening(void) {
  const char* name = own_name("opening");
  char folder[240];
  snprintf(folder, sizeof folder, "%s/none/file", name);
  FAILS(open_with(name, 0), MPI_ERR_AMODE);
  FAILS(open_with(name, MPI_MODE_CREATE), MPI_ERR_AMODE);
  FAILS(open_with(name, MPI_MODE_RDWR | MPI_MODE_RDONLY), MPI_ERR_AMODE);
  FAILS(open_with(name, MPI_MODE_RDONLY | MPI_MODE_CREATE), MPI_ERR_AMODE);
  FAILS(open_with(name, MPI_MODE_RDONLY | MPI_MODE_EXCL), MPI_ERR_AMODE);
  FAILS(open_with(name, MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL), MPI_ERR_AMODE);
  FAILS(open_with(name, MPI_MODE_RDWR | 1 << 20), MPI_ERR_AMODE);
  if (size > 1) {
    FAILS(open_with(name, rank == 0 ? MPI_MODE_RDONLY : MPI_MODE_RDWR), MPI_ERR_NOT_SAME);
    FAILS(open_with(name, rank == 1 ? 0 : MPI_MODE_RDWR), MPI_ERR_AMODE);
  }
  FAILS(open_with(name, MPI_MODE_RDONLY), MPI_ERR_NO_SUCH_FILE);
  FAILS(open_with(folder, MPI_MODE_CREATE | MPI_MODE_WRONLY), MPI_ERR_NO_SUCH_FILE);
  FAILS(open_with("/", MPI_MODE_RDONLY), MPI_ERR_BAD_FILE);
  FAILS(open_with("/tmp", MPI_MODE_RDWR), MPI_ERR_BAD_FILE);
  FAILS(open_with(name, MPI_MODE_CREATE | MPI_MODE_WRONLY), MPI_SUCCESS);
  FAILS(open_with(name, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY), MPI_ERR_FILE_EXISTS);
  MPI_File file;
  FAILS(MPI_File_open(MPI_COMM_NULL, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file), MPI_ERR_COMM);
  FAILS(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, (MPI_Info)MPI_INT, &file), MPI_ERR_INFO);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    FAILS(MPI_File_delete(name, (MPI_Info)MPI_INT), MPI_ERR_INFO);
    CHECK_INT(MPI_File_delete(name, MPI_INFO_NULL), MPI_SUCCESS);
    FAILS(MPI_File_delete(name, MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
    FAILS(MPI_File_delete(folder, MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
  }
}

static void test_rights(void) {
  const char* name = own_name("rights");
  MPI_File file = open_file(name, MPI_MODE_CREATE | MPI_MODE_WRONLY);
  test_reads(file, 0);
  gone = file;
  MPI_File_close(&file);
  file = open_file(name, MPI_MODE_RDONLY);
  test_writes(file, 0);
  FAILS(MPI_File_set_size(file, 10), MPI_ERR_READ_ONLY);
  FAILS(MPI_File_preallocate(file, 10), MPI_ERR_READ_ONLY);
  MPI_File_close(&file);
  file = open_file(name, MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL | MPI_MODE_DELETE_ON_CLOSE);
  FAILS(MPI_File_read_at(file, 0, &one, 1, MPI_INT, &status), MPI_ERR_UNSUPPORTED_OPERATION);
  FAILS(MPI_File_read(file, &one, 1, MPI_INT, &status), MPI_ERR_UNSUPPORTED_OPERATION);
  FAILS(MPI_File_seek(file, 0, MPI_SEEK_SET), MPI_ERR_UNSUPPORTED_OPERATION);
  FAILS(MPI_File_seek_shared(file, 0, MPI_SEEK_SET), MPI_ERR_UNSUPPORTED_OPERATION);
  FAILS(MPI_File_get_position(file, &at), MPI_ERR_UNSUPPORTED_OPERATION);
  FAILS(MPI_File_get_position_shared(file, &at), MPI_ERR_UNSUPPORTED_OPERATION);
  CHECK_INT(MPI_File_get_byte_offset(file, 3, &at), MPI_SUCCESS); /* which asks of the view, not of the file */
  CHECK_INT(at, 3);
  FAILS(MPI_File_set_view(file, 8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL), MPI_ERR_UNSUPPORTED_OPERATION);
  MPI_File_close(&file);
}

static MPI_Datatype made(MPI_Datatype type) {
  MPI_Type_commit(&type);
  return type;
}

static void test_views(void) {
  MPI_File file = open_file(own_name("views"), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  MPI_Datatype bytes, back, twice, three, before;
  const int ones[2] = {1, 1}, places[2] = {2, 0}, same[2] = {0, 0};
  FAILS(MPI_File_set_view(file, -1, MPI_INT, MPI_INT, "native", MPI_INFO_NULL), MPI_ERR_ARG);
  FAILS(MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL), MPI_ERR_ARG);
  FAILS(MPI_File_set_view(file, 0, MPI_DATATYPE_NULL, MPI_INT, "native", MPI_INFO_NULL), MPI_ERR_TYPE);
  FAILS(MPI_File_set_view(file, 0, MPI_INT, MPI_DATATYPE_NULL, "native", MPI_INFO_NULL), MPI_ERR_TYPE);
  FAILS(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "nativ", MPI_INFO_NULL), MPI_ERR_UNSUPPORTED_DATAREP);
  FAILS(MPI_File_set_view(file, 0, MPI_INT, MPI_SHORT, "native", MPI_INFO_NULL), MPI_ERR_TYPE);
  MPI_Type_contiguous(3, MPI_BYTE, &bytes);
  FAILS(MPI_File_set_view(file, 0, MPI_BYTE, bytes, "native", MPI_INFO_NULL), MPI_ERR_TYPE); /* not committed */
  bytes = made(bytes);
  FAILS(MPI_File_set_view(file, 0, bytes, MPI_INT, "native", MPI_INFO_NULL), MPI_ERR_TYPE);
  MPI_Type_contiguous(0, MPI_INT, &three);
  three = made(three);
  FAILS(MPI_File_set_view(file, 0, three, MPI_INT, "native", MPI_INFO_NULL), MPI_ERR_TYPE);
  MPI_Type_free(&three);
  MPI_Type_indexed(2, ones, places, MPI_INT, &back);
  MPI_Type_indexed(2, ones, same, MPI_INT, &twice);
  back = made(back), twice = made(twice);
  FAILS(MPI_File_set_view(file, 0, MPI_INT, back, "native", MPI_INFO_NULL), MPI_ERR_TYPE);
  FAILS(MPI_File_set_view(file, 0, MPI_INT, twice, "native", MPI_INFO_NULL), MPI_ERR_TYPE);
  MPI_Type_create_resized(back, 0, 4, &three);
  three = made(three);
  const MPI_Aint low = -4;
  const int length = 1;
  MPI_Type_create_hindexed(1, &length, &low, MPI_INT, &before);
  before = made(before);
  FAILS(MPI_File_set_view(file, 0, MPI_INT, three, "native", MPI_INFO_NULL), MPI_ERR_TYPE);
  FAILS(MPI_File_set_view(file, 0, MPI_INT, before, "native", MPI_INFO_NULL), MPI_ERR_TYPE);
  if (size > 1) {
    const MPI_Datatype type = rank == 0 ? MPI_INT : MPI_DOUBLE;
    FAILS(MPI_File_set_view(file, 0, type, type, "native", MPI_INFO_NULL), MPI_ERR_NOT_SAME);
    FAILS(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, rank == 0 ? "native" : "internal", MPI_INFO_NULL),
          MPI_ERR_NOT_SAME);
    FAILS(MPI_File_set_view(file, 0, MPI_INT, rank == 1 ? back : MPI_INT, "native", MPI_INFO_NULL), MPI_ERR_TYPE);
  }
  MPI_Type_free(&bytes);
  MPI_Type_free(&back);
  MPI_Type_free(&twice);
  MPI_Type_free(&three);
  MPI_Type_free(&before);
  MPI_File_close(&file);
}

static void test_arguments(void) {
  MPI_File file = open_file(own_name("arguments"), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  MPI_Aint extent;
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  FAILS(MPI_File_read_at(file, -1, &one, 1, MPI_INT, &status), MPI_ERR_ARG);
  FAILS(MPI_File_write_at(file, 0, &one, -1, MPI_INT, &status), MPI_ERR_COUNT);
  FAILS(MPI_File_write(file, NULL, 1, MPI_INT, &status), MPI_ERR_BUFFER);
  FAILS(MPI_File_read(file, &one, 1, MPI_DATATYPE_NULL, &status), MPI_ERR_TYPE);
  FAILS(MPI_File_write(file, &one, 3, MPI_CHAR, &status), MPI_ERR_ARG); /* no whole elementary types */
  FAILS(MPI_File_write_shared(file, &one, 3, MPI_CHAR, &status), MPI_ERR_ARG);
  FAILS(MPI_File_seek(file, -1, MPI_SEEK_SET), MPI_ERR_ARG);
  FAILS(MPI_File_seek(file, -1, MPI_SEEK_CUR), MPI_ERR_ARG);
  FAILS(MPI_File_seek(file, 0, 77), MPI_ERR_ARG);
  FAILS(MPI_File_seek_shared(file, -1, MPI_SEEK_END), MPI_ERR_ARG);
  FAILS(MPI_File_get_byte_offset(file, -1, &at), MPI_ERR_ARG);
  FAILS(MPI_File_set_size(file, -1), MPI_ERR_ARG);
  FAILS(MPI_File_preallocate(file, -1), MPI_ERR_ARG);
  FAILS(MPI_File_set_info(file, MPI_INFO_NULL), MPI_ERR_INFO);
  FAILS(MPI_File_set_errhandler(file, MPI_ERRHANDLER_NULL), MPI_ERR_ARG);
  FAILS(MPI_File_create_errhandler(NULL, NULL), MPI_ERR_ARG);
  FAILS(MPI_File_get_type_extent(file, MPI_DATATYPE_NULL, &extent), MPI_ERR_TYPE);
  FAILS(MPI_Register_datarep("x", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, NULL, NULL), MPI_ERR_ARG);
  if (size > 1) {
    FAILS(MPI_File_set_size(file, rank), MPI_ERR_NOT_SAME);
    FAILS(MPI_File_preallocate(file, rank), MPI_ERR_NOT_SAME);
    FAILS(MPI_File_set_atomicity(file, rank == 0), MPI_ERR_NOT_SAME);
    FAILS(MPI_File_seek_shared(file, rank, MPI_SEEK_SET), MPI_ERR_NOT_SAME);
  }
  MPI_File_close(&file);
}

/* What is to be deleted is gone by then: the file is closed all the same. */
static void test_gone_meanwhile(void) {
  const char* name = own_name("meanwhile");
  MPI_File file = open_file(name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  if (rank == 0) CHECK_INT(MPI_File_delete(name, MPI_INFO_NULL), MPI_SUCCESS);
  FAILS(MPI_File_close(&file), MPI_ERR_NO_SUCH_FILE);
  CHECK(file == MPI_FILE_NULL);
}

/* One access of two calls at a time, each ended by its own. */
static void test_split(void) {
  MPI_File file = open_file(own_name("split"), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  test_ends(file, 0);
  MPI_File_write_all_begin(file, &one, 1, MPI_INT);
  FAILS(MPI_File_write_all_begin(file, &one, 1, MPI_INT), MPI_ERR_OTHER);
  FAILS(MPI_File_read_at_all_begin(file, 0, &one, 1, MPI_INT), MPI_ERR_OTHER);
  FAILS(MPI_File_write_at_all_end(file, &one, &status), MPI_ERR_OTHER);
  FAILS(MPI_File_read_all_end(file, &one, &status), MPI_ERR_OTHER);
  FAILS(MPI_File_close(&file), MPI_ERR_OTHER);
  CHECK_INT(MPI_File_write_all_end(file, &one, &status), MPI_SUCCESS);
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* whose errors are of no file */
  rank = world_rank();
  size = world_size();
  test_opening();
  test_rights();
  test_gone();
  test_views();
  test_arguments();
  test_split();
  test_gone_meanwhile();
  return finish_with_files();
}
