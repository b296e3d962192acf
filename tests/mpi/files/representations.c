/* ranks: 1 2
 * How data lies in a file: external32, and functions of the program's own. */
#include "own_files.h"

#include <stddef.h>

static int rank, size;
static MPI_File file;
static MPI_Status status;

static void begin_with(const char* stem) {
  file = open_file(own_name(stem), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
}

static void view(MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype, const char* representation) {
  CHECK_INT(MPI_File_set_view(file, displacement, etype, filetype, representation, MPI_INFO_NULL), MPI_SUCCESS);
}

static MPI_Aint extent_of(MPI_Datatype type) {
  MPI_Aint extent = -1;
  MPI_File_get_type_extent(file, type, &extent);
  return extent;
}

static void check_bytes(MPI_Offset at, const unsigned char* expected, int count) {
  unsigned char found[64] = {0};
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  view(0, MPI_BYTE, MPI_BYTE, "native");
  MPI_File_read_at(file, at, found, count, MPI_BYTE, &status);
  CHECK_INT(count_in(&status, MPI_BYTE), count);
  for (int i = 0; i < count; ++i) CHECK_INT(found[i], expected[i]);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Most significant bytes first, and longs of four. */
static void test_external32(void) {
  begin_with("external");
  CHECK_INT(extent_of(MPI_LONG), (MPI_Aint)sizeof(long));
  view(0, MPI_INT, MPI_INT, "external32");
  CHECK_INT(extent_of(MPI_LONG), 4);
  CHECK_INT(extent_of(MPI_DOUBLE), 8);
  const int values[2] = {0x01020304, -2};
  if (rank == 0) MPI_File_write(file, values, 2, MPI_INT, &status);
  const unsigned char ints[] = {1, 2, 3, 4, 255, 255, 255, 254};
  check_bytes(0, ints, 8);
  view(8, MPI_LONG, MPI_LONG, "external32");
  const long longs[3] = {7, -1, 0x10203}, none[3] = {-5, -5, -5};
  long found[3];
  if (rank == 0) {
    MPI_File_write(file, longs, 3, MPI_LONG, &status);
    CHECK_INT(count_in(&status, MPI_LONG), 3);
    MPI_Offset at;
    MPI_File_get_position(file, &at);
    CHECK_INT(at, 3);
  }
  const unsigned char bytes[] = {0, 0, 0, 7, 255, 255, 255, 255, 0, 1, 2, 3};
  check_bytes(8, bytes, 12);
  view(8, MPI_LONG, MPI_LONG, "external32");
  memcpy(found, none, sizeof found);
  MPI_File_read_at(file, 0, found, 3, MPI_LONG, &status);
  CHECK(memcmp(found, longs, sizeof longs) == 0);
  /* two whole ones, and then the file ends */
  memcpy(found, none, sizeof found);
  MPI_File_read_at(file, 1, found, 3, MPI_LONG, &status);
  CHECK_INT(count_in(&status, MPI_LONG), 2);
  CHECK(found[0] == -1 && found[1] == 0x10203 && found[2] == -5);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_set_size(file, 18); /* within one */
  memcpy(found, none, sizeof found);
  MPI_File_read_at(file, 0, found, 3, MPI_LONG, &status);
  CHECK_INT(count_in(&status, MPI_LONG), 2);
  CHECK(found[0] == 7 && found[1] == -1 && found[2] == -5);
  MPI_File_close(&file);
}

/* A filetype's gaps are as many elements, however long those are. */
static void test_external_filetypes(void) {
  MPI_Datatype every_second, both, padded;
  begin_with("external-types");
  MPI_Type_create_resized(MPI_LONG, 0, 2 * sizeof(long), &padded);
  MPI_Type_vector(3, 1, 2, MPI_LONG, &every_second);
  MPI_Type_commit(&every_second);
  MPI_Type_commit(&padded);
  view(4 * rank, MPI_LONG, every_second, "external32");
  CHECK_INT(extent_of(every_second), 20);
  CHECK_INT(extent_of(padded), 2 * sizeof(long));
  const long values[3] = {rank + 1, rank + 3, rank + 5};
  MPI_File_write_all(file, values, 3, MPI_LONG, &status);
  CHECK_INT(count_in(&status, MPI_LONG), 3);
  if (size > 1) {
    const unsigned char bytes[] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, 6};
    check_bytes(0, bytes, 24);
  }
  /* structures in memory, with gaps */
  struct {
    short a;
    double b;
  } pairs[2] = {{1, 1.5}, {-1, -2.5}}, found[2] = {{0, 0}, {0, 0}};
  const int lengths[2] = {1, 1};
  const MPI_Aint places[2] = {0, offsetof(__typeof__(pairs[0]), b)};
  const MPI_Datatype types[2] = {MPI_SHORT, MPI_DOUBLE};
  MPI_Type_create_struct(2, lengths, places, types, &both);
  MPI_Type_commit(&both);
  view(100 + 20 * rank, MPI_BYTE, MPI_BYTE, "external32");
  MPI_File_write(file, pairs, 2, both, &status);
  CHECK_INT(count_in(&status, both), 2);
  MPI_File_read_at(file, 0, found, 2, both, &status);
  CHECK(found[0].a == 1 && found[0].b == 1.5 && found[1].a == -1 && found[1].b == -2.5);
  const unsigned char one_and_a_half[] = {0, 1, 0x3f, 0xf8, 0, 0};
  check_bytes(100, one_and_a_half, 6);
  MPI_Type_free(&both);
  MPI_Type_free(&padded);
  MPI_Type_free(&every_second);
  MPI_File_close(&file);
}

/* --- the program's own: ints as five characters each --- */

static int calls;

static int extent_in_file(MPI_Datatype type, MPI_Aint* extent, void* state) {
  CHECK(state == &calls);
  *extent = type == MPI_INT ? 5 : 1;
  return MPI_SUCCESS;
}

static int to_memory(void* memory, MPI_Datatype type, int count, void* in_file, MPI_Offset position, void* state) {
  CHECK(state == &calls && type == MPI_INT);
  for (int i = 0; i < count; ++i) {
    char digits[6] = {0};
    memcpy(digits, (char*)in_file + 5 * i, 5);
    ((int*)memory)[position + i] = atoi(digits);
  }
  ++calls;
  return MPI_SUCCESS;
}

static int to_file(void* memory, MPI_Datatype type, int count, void* in_file, MPI_Offset position, void* state) {
  CHECK(state == &calls && type == MPI_INT);
  for (int i = 0; i < count; ++i) {
    char digits[12];
    snprintf(digits, sizeof digits, "%05d", ((int*)memory)[position + i] % 100000);
    memcpy((char*)in_file + 5 * i, digits, 5);
  }
  ++calls;
  return MPI_SUCCESS;
}

static int fails(void* memory, MPI_Datatype type, int count, void* in_file, MPI_Offset position, void* state) {
  (void)memory, (void)type, (void)count, (void)in_file, (void)position, (void)state;
  return MPI_ERR_OTHER;
}

static void test_own(void) {
  CHECK_INT(MPI_Register_datarep("digits", to_memory, to_file, extent_in_file, &calls), MPI_SUCCESS);
  CHECK_INT(MPI_Register_datarep("as it is", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent_in_file, &calls),
            MPI_SUCCESS);
  CHECK_INT(MPI_Register_datarep("never", fails, fails, extent_in_file, &calls), MPI_SUCCESS);
  FAILS(MPI_Register_datarep("digits", to_memory, to_file, extent_in_file, &calls), MPI_ERR_DUP_DATAREP);
  FAILS(MPI_Register_datarep("native", to_memory, to_file, extent_in_file, &calls), MPI_ERR_DUP_DATAREP);
  begin_with("digits");
  MPI_Datatype every;
  MPI_Type_vector(2, 1, size, MPI_INT, &every);
  MPI_Type_commit(&every);
  view(5 * rank, MPI_INT, every, "digits");
  CHECK_INT(extent_of(MPI_INT), 5);
  CHECK_INT(extent_of(every), 5 * (size + 1));
  const int values[2] = {12 + rank, 345 + rank};
  int found[4] = {-1, -1, -1, -1};
  MPI_File_write_at_all(file, 0, values, 2, MPI_INT, &status);
  CHECK_INT(count_in(&status, MPI_INT), 2);
  CHECK(calls > 0);
  if (size == 2) check_bytes(0, (const unsigned char*)"00012000130034500346", 20);
  view(0, MPI_INT, MPI_INT, "digits");
  MPI_File_read_at(file, 0, found, 4, MPI_INT, &status);
  CHECK_INT(count_in(&status, MPI_INT), 2 * size);
  CHECK_INT(found[0], 12);
  CHECK_INT(found[size], 345);
  CHECK_INT(found[3], size == 2 ? 346 : -1);
  view(100, MPI_INT, MPI_INT, "never");
  FAILS(MPI_File_write(file, values, 1, MPI_INT, &status), MPI_ERR_CONVERSION);
  /* without functions, lengths have to be those in memory */
  view(200 + rank, MPI_CHAR, MPI_CHAR, "as it is");
  const char letter = 'a' + rank;
  char found_letter = 0;
  MPI_File_write(file, &letter, 1, MPI_CHAR, &status);
  MPI_File_read_at(file, 0, &found_letter, 1, MPI_CHAR, &status);
  CHECK_INT(found_letter, letter);
  FAILS(MPI_File_write(file, values, 1, MPI_INT, &status), MPI_ERR_CONVERSION);
  FAILS(MPI_File_read_at(file, 0, found, 1, MPI_INT, &status), MPI_ERR_CONVERSION);
  MPI_Type_free(&every);
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  rank = world_rank();
  size = world_size();
  test_external32();
  test_external_filetypes();
  test_own();
  return finish_with_files();
}
