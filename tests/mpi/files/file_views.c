/* ranks: 1 2 6
 * Views: what ranks see of a file, and where in it their offsets are. */
#include "own_files.h"

static int rank, size;
static MPI_File file;
static MPI_Status status;

static void begin_with(const char* stem) {
  file = open_file(own_name(stem), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
}

static MPI_Offset place_of(MPI_Offset offset) {
  MPI_Offset place;
  MPI_File_get_byte_offset(file, offset, &place);
  return place;
}

static MPI_Offset own_pointer(void) {
  MPI_Offset at;
  MPI_File_get_position(file, &at);
  return at;
}

static MPI_Offset shared_pointer(void) {
  MPI_Offset at;
  MPI_File_get_position_shared(file, &at);
  return at;
}

/* Element i of the file is of rank i % size, in pairs. */
static void test_dealt_out(void) {
  enum { PAIRS = 20 };
  int mine[2 * PAIRS], one;
  MPI_Datatype pair, every;
  begin_with("dealt");
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_create_resized(pair, 0, (MPI_Aint)sizeof(int) * 2 * size, &every);
  MPI_Type_commit(&every);
  MPI_File_set_view(file, 4 + 8 * rank, MPI_INT, every, "native", MPI_INFO_NULL);
  MPI_Type_free(&every); /* the view has it still */
  MPI_Type_free(&pair);
  CHECK_INT(place_of(0), 4 + 8 * rank);
  CHECK_INT(place_of(1), 8 + 8 * rank);
  CHECK_INT(place_of(2), 4 + 8 * rank + 8 * size);
  for (int i = 0; i < 2 * PAIRS; ++i) mine[i] = element(rank, 0, i);
  MPI_File_write_all(file, mine, 7, MPI_INT, &status); /* ends within a pair */
  CHECK_INT(count_in(&status, MPI_INT), 7);
  CHECK_INT(own_pointer(), 7);
  MPI_File_write(file, mine + 7, 2 * PAIRS - 7, MPI_INT, &status);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  /* as everybody sees it who has no such view */
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  CHECK_INT(own_pointer(), 0);
  for (int i = 0; i < 2 * PAIRS * size; ++i) {
    const int of = i / 2 % size, which = 2 * (i / 2 / size) + i % 2;
    MPI_File_read_at(file, 1 + i, &one, 1, MPI_INT, &status);
    CHECK_INT(one, element(of, 0, which));
  }
  MPI_Offset bytes;
  MPI_File_get_size(file, &bytes);
  CHECK_INT(bytes, 4 + 8 * PAIRS * size);
  MPI_File_close(&file);
}

/* A matrix in blocks of rows and columns, by subarrays; and as darray deals it out. */
static void test_arrays(void) {
  enum { ROWS = 12, COLUMNS = 10 };
  const int sizes[2] = {ROWS, COLUMNS * size}, parts[2] = {ROWS, COLUMNS}, starts[2] = {0, COLUMNS * rank};
  double mine[ROWS][COLUMNS], found[ROWS][COLUMNS];
  MPI_Datatype block, dealt;
  begin_with("arrays");
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_DOUBLE, &block);
  MPI_Type_commit(&block);
  for (int r = 0; r < ROWS; ++r)
    for (int c = 0; c < COLUMNS; ++c) mine[r][c] = r * 1000 + COLUMNS * rank + c;
  MPI_File_set_view(file, 0, MPI_DOUBLE, block, "native", MPI_INFO_NULL);
  MPI_File_write_all(file, mine, ROWS * COLUMNS, MPI_DOUBLE, &status);
  CHECK_INT(count_in(&status, MPI_DOUBLE), ROWS * COLUMNS);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  /* by rows, one after another */
  const int distributions[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
  const int arguments[2] = {1, MPI_DISTRIBUTE_DFLT_DARG}, processes[2] = {size, 1};
  MPI_Type_create_darray(size, rank, 2, sizes, distributions, arguments, processes, MPI_ORDER_C, MPI_DOUBLE, &dealt);
  MPI_Type_commit(&dealt);
  MPI_File_set_view(file, 0, MPI_DOUBLE, dealt, "native", MPI_INFO_NULL);
  for (int r = rank; r < ROWS; r += size)
    for (int c = 0; c < COLUMNS * size; ++c) {
      double one = -1;
      MPI_File_read(file, &one, 1, MPI_DOUBLE, &status);
      CHECK(one == r * 1000 + c);
    }
  MPI_File_set_view(file, 0, MPI_DOUBLE, block, "native", MPI_INFO_NULL);
  memset(found, 0, sizeof found);
  MPI_File_read_at_all(file, 0, found, ROWS * COLUMNS, MPI_DOUBLE, &status);
  CHECK(memcmp(found, mine, sizeof mine) == 0);
  MPI_Type_free(&block);
  MPI_Type_free(&dealt);
  MPI_File_close(&file);
}

/* Irregular places, in a loop of their own. */
static void test_irregular(void) {
  const int lengths[3] = {2, 0, 3}, places[3] = {1, 4, 6};
  int mine[15], found[15];
  MPI_Datatype places_in_file, padded;
  begin_with("irregular");
  MPI_Type_indexed(3, lengths, places, MPI_INT, &places_in_file);
  MPI_Type_create_resized(places_in_file, 0, 12 * sizeof(int), &padded);
  MPI_Type_commit(&padded);
  MPI_File_set_view(file, 48 * 3 * rank, MPI_INT, padded, "native", MPI_INFO_NULL);
  for (int i = 0; i < 15; ++i) mine[i] = element(rank, 1, i), found[i] = -1;
  MPI_File_write(file, mine, 15, MPI_INT, &status);
  const int expected[] = {4, 8, 24, 28, 32, 52, 56, 72, 76, 80, 100, 104, 120, 124, 128};
  for (int i = 0; i < 15; ++i) CHECK_INT(place_of(i), 144 * rank + expected[i]);
  for (int i = 0; i < 15; i += 4) {
    const int several = i + 4 <= 15 ? 4 : 15 - i;
    MPI_File_read_at(file, i, found + i, several, MPI_INT, &status);
    CHECK_INT(count_in(&status, MPI_INT), several);
  }
  for (int i = 0; i < 15; ++i) CHECK_INT(found[i], mine[i]);
  MPI_Type_free(&padded);
  /* one that says it is shorter than it is: of the first of them, all is seen */
  MPI_Offset at;
  for (int extent = -4; extent <= 4; extent += 4) {
    MPI_Type_create_resized(places_in_file, 0, extent, &padded);
    MPI_Type_commit(&padded);
    MPI_File_set_view(file, 48 * rank, MPI_INT, padded, "native", MPI_INFO_NULL);
    MPI_File_write_at_all(file, 0, mine, 5, MPI_INT, &status);
    for (int i = 0; i < 5; ++i) CHECK_INT(place_of(i), 48 * rank + expected[i]);
    MPI_File_read_at_all(file, 0, found, 5, MPI_INT, &status);
    CHECK(memcmp(mine, found, 5 * sizeof(int)) == 0);
    MPI_File_seek(file, 0, MPI_SEEK_END);
    MPI_File_get_position(file, &at);
    CHECK(at >= 5);
    MPI_Type_free(&padded);
  }
  MPI_Type_free(&places_in_file);
  MPI_File_close(&file);
}

/* Of so many bytes: pointers to their end are those behind the last of the view's elements that begins in them. */
static void test_pointers(void) {
  MPI_Datatype spread;
  begin_with("pointers");
  MPI_File_set_size(file, 100);
  MPI_File_seek(file, 0, MPI_SEEK_END);
  CHECK_INT(own_pointer(), 100);
  MPI_File_seek(file, -30, MPI_SEEK_CUR);
  MPI_File_seek(file, 5, MPI_SEEK_CUR);
  CHECK_INT(own_pointer(), 75);
  MPI_File_seek(file, 1000, MPI_SEEK_SET);
  CHECK_INT(own_pointer(), 1000);
  MPI_File_seek_shared(file, -1, MPI_SEEK_END);
  CHECK_INT(shared_pointer(), 99);
  MPI_File_seek_shared(file, -9, MPI_SEEK_CUR);
  CHECK_INT(shared_pointer(), 90);
  MPI_Type_create_resized(MPI_INT, 0, 16, &spread);
  MPI_Type_commit(&spread);
  MPI_File_set_view(file, 4, MPI_INT, spread, "native", MPI_INFO_NULL);
  CHECK_INT(own_pointer(), 0);
  CHECK_INT(shared_pointer(), 0);
  MPI_File_seek(file, 0, MPI_SEEK_END); /* at 4, 20, 36, 52, 68, 84 */
  CHECK_INT(own_pointer(), 6);
  CHECK_INT(place_of(6), 100);
  MPI_File_seek(file, -6, MPI_SEEK_END);
  CHECK_INT(own_pointer(), 0);
  MPI_File_set_view(file, 400, MPI_INT, spread, "native", MPI_INFO_NULL);
  MPI_File_seek(file, 0, MPI_SEEK_END);
  CHECK_INT(own_pointer(), 0);
  MPI_Type_free(&spread);
  MPI_File_close(&file);
}

/* Predefined types come back as themselves, others as new ones that are made alike. */
static void test_asked_for(void) {
  MPI_Offset displacement;
  MPI_Datatype etype, filetype, made, inner;
  char name[MPI_MAX_DATAREP_STRING];
  int integers, addresses, types, combiner, list[3];
  MPI_Aint none;
  begin_with("asked");
  MPI_File_get_view(file, &displacement, &etype, &filetype, name);
  CHECK(displacement == 0 && etype == MPI_BYTE && filetype == MPI_BYTE && strcmp(name, "native") == 0);
  MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &made);
  MPI_Type_commit(&made);
  MPI_File_set_view(file, 24, MPI_DOUBLE, made, "internal", MPI_INFO_NULL);
  MPI_File_get_view(file, &displacement, &etype, &filetype, name);
  CHECK(displacement == 24 && etype == MPI_DOUBLE && filetype != made && strcmp(name, "internal") == 0);
  MPI_Type_get_envelope(filetype, &integers, &addresses, &types, &combiner);
  CHECK_INT(combiner, MPI_COMBINER_VECTOR);
  MPI_Type_get_contents(filetype, integers, addresses, types, list, &none, &inner);
  CHECK(list[0] == 3 && list[1] == 1 && list[2] == 2 && inner == MPI_DOUBLE);
  MPI_File_set_view(file, 0, etype, filetype, "native", MPI_INFO_NULL); /* committed */
  MPI_Type_free(&filetype);
  MPI_Type_free(&made);
  MPI_File_close(&file);
}

/* A rank may see nothing of the file. */
static void test_nothing(void) {
  MPI_Datatype nothing;
  int one = 5;
  begin_with("nothing");
  MPI_Type_contiguous(rank % 2, MPI_INT, &nothing);
  MPI_Type_commit(&nothing);
  MPI_File_set_view(file, 0, MPI_INT, nothing, "native", MPI_INFO_NULL);
  MPI_File_write_all(file, &one, rank % 2, MPI_INT, &status);
  CHECK_INT(count_in(&status, MPI_INT), rank % 2);
  if (rank % 2 == 0) {
    FAILS(MPI_File_write(file, &one, 1, MPI_INT, &status), MPI_ERR_IO);
    MPI_File_read(file, &one, 1, MPI_INT, &status);
    CHECK_INT(count_in(&status, MPI_INT), 0);
  }
  MPI_Type_free(&nothing);
  MPI_File_close(&file);
}

/* From the beginning to the end, by the shared pointer: what a pipe can do too. */
static void test_sequential(void) {
  const char* name = own_name("sequential");
  int values[2] = {rank, rank + 10}, found[2];
  file = open_file(name, MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL);
  MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  MPI_File_write_ordered(file, values, 2, MPI_INT, &status);
  MPI_File_close(&file);
  file = open_file(name, MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL | MPI_MODE_DELETE_ON_CLOSE);
  MPI_File_read_ordered(file, found, 4, MPI_BYTE, &status);
  CHECK_INT(found[0], rank % 2 == 0 ? rank / 2 : rank / 2 + 10);
  /* goes on where it is */
  MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  MPI_Offset displacement;
  MPI_Datatype etype, filetype;
  char representation[MPI_MAX_DATAREP_STRING];
  MPI_File_get_view(file, &displacement, &etype, &filetype, representation);
  CHECK_INT(displacement, 4 * size);
  MPI_File_read_ordered(file, found, 1, MPI_INT, &status);
  CHECK_INT(count_in(&status, MPI_INT), 1);
  CHECK_INT(found[0], (size + rank) % 2 == 0 ? (size + rank) / 2 : (size + rank) / 2 + 10);
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = world_rank();
  size = world_size();
  test_dealt_out();
  test_arrays();
  test_irregular();
  test_pointers();
  test_asked_for();
  test_nothing();
  test_sequential();
  return finish_with_files();
}
