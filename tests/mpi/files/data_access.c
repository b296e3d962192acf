/* ranks: 1 3 4
 * Every way of reading and writing: at offsets, at a rank's own pointer, at the shared one, in the order of ranks; in
 * one call, with a request, in two calls. */
#include "own_files.h"

#define COUNT 50

static int rank, size;
static MPI_File file;
static int sent[COUNT], got[COUNT];
static MPI_Status status;
static MPI_Request request;

static void clear(void) {
  for (int i = 0; i < COUNT; ++i) got[i] = -1;
}

/* Between writes and reads of what others have written. */
static void everybody(void) {
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);
}

static void check_access(void) { CHECK_INT(count_in(&status, MPI_INT), COUNT); }

static void check_got(int from, int tag) {
  check_elements(got, COUNT, from, tag);
  clear();
}

static void begin_with(const char* stem) {
  file = open_file(own_name(stem), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  MPI_File_set_view(file, 8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
}

static void test_offsets(void) {
  begin_with("offsets");
  const MPI_Offset mine = rank * COUNT;
  const int other = (rank + 1) % size;
  const MPI_Offset theirs = other * COUNT;
  fill(sent, COUNT, rank, 0);
  MPI_File_write_at(file, mine, sent, COUNT, MPI_INT, &status);
  check_access();
  everybody();
  MPI_File_read_at(file, theirs, got, COUNT, MPI_INT, &status);
  check_access();
  check_got(other, 0);
  MPI_Barrier(MPI_COMM_WORLD);

  fill(sent, COUNT, rank, 1);
  MPI_File_write_at_all(file, mine, sent, COUNT, MPI_INT, &status);
  check_access();
  everybody();
  MPI_File_read_at_all(file, theirs, got, COUNT, MPI_INT, &status);
  check_access();
  check_got(other, 1);
  MPI_Barrier(MPI_COMM_WORLD);

  fill(sent, COUNT, rank, 2);
  MPI_File_iwrite_at(file, mine, sent, COUNT, MPI_INT, &request);
  MPI_Wait(&request, &status);
  check_access();
  everybody();
  MPI_File_iread_at(file, theirs, got, COUNT, MPI_INT, &request);
  MPI_Wait(&request, &status);
  check_access();
  CHECK(request == MPI_REQUEST_NULL);
  check_got(other, 2);
  MPI_Barrier(MPI_COMM_WORLD);

  fill(sent, COUNT, rank, 3);
  MPI_File_iwrite_at_all(file, mine, sent, COUNT, MPI_INT, &request);
  MPI_Wait(&request, &status);
  check_access();
  everybody();
  MPI_File_iread_at_all(file, theirs, got, COUNT, MPI_INT, &request);
  int flag = 0;
  while (!flag) MPI_Test(&request, &flag, &status);
  check_access();
  check_got(other, 3);
  MPI_Barrier(MPI_COMM_WORLD);

  fill(sent, COUNT, rank, 4);
  MPI_File_write_at_all_begin(file, mine, sent, COUNT, MPI_INT);
  MPI_File_write_at_all_end(file, sent, &status);
  check_access();
  everybody();
  MPI_File_read_at_all_begin(file, theirs, got, COUNT, MPI_INT);
  MPI_File_read_at_all_end(file, got, &status);
  check_access();
  check_got(other, 4);

  MPI_Offset at;
  MPI_File_get_position(file, &at);
  CHECK_INT(at, 0); /* none of these moves it */
  /* nothing at all, and past the end */
  MPI_File_read_at(file, 3, got, 0, MPI_INT, &status);
  CHECK_INT(count_in(&status, MPI_INT), 0);
  MPI_File_read_at_all(file, 3, NULL, 0, MPI_INT, &status);
  CHECK_INT(count_in(&status, MPI_INT), 0);
  MPI_File_write_at(file, 3, NULL, 0, MPI_INT, &status);
  MPI_File_write_at_all(file, 3, NULL, 0, MPI_INT, &status);
  CHECK_INT(count_in(&status, MPI_INT), 0);
  MPI_File_read_at(file, size * COUNT - 10, got, COUNT, MPI_INT, &status);
  CHECK_INT(count_in(&status, MPI_INT), 10);
  CHECK_INT(got[9], element(size - 1, 4, COUNT - 1));
  CHECK_INT(got[10], -1);
  MPI_File_iread_at(file, size * COUNT + 10, got, COUNT, MPI_INT, &request);
  MPI_Wait(&request, &status);
  CHECK_INT(count_in(&status, MPI_INT), 0);
  clear();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_iread_at_all(file, 0, got, 0, MPI_INT, &request);
  MPI_Request_free(&request);
  MPI_File_iwrite_at(file, 0, sent, 0, MPI_INT, &request);
  MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
  MPI_File_iwrite_at_all(file, 0, sent, 0, MPI_INT, &request);
  MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
  MPI_File_read_at_all_begin(file, 0, NULL, 0, MPI_INT);
  MPI_File_read_at_all_end(file, NULL, MPI_STATUS_IGNORE);
  MPI_File_write_at_all_begin(file, 0, NULL, 0, MPI_INT);
  MPI_File_write_at_all_end(file, NULL, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
}

static MPI_Offset own_pointer(void) {
  MPI_Offset at;
  MPI_File_get_position(file, &at);
  return at;
}

static void seek_to(int of) { MPI_File_seek(file, of * COUNT, MPI_SEEK_SET); }

static void test_own_pointers(void) {
  begin_with("own");
  const int other = (rank + 1) % size;
  fill(sent, COUNT, rank, 0);
  seek_to(rank);
  MPI_File_write(file, sent, COUNT, MPI_INT, &status);
  check_access();
  CHECK_INT(own_pointer(), (rank + 1) * COUNT);
  everybody();
  seek_to(other);
  MPI_File_read(file, got, COUNT, MPI_INT, &status);
  check_access();
  CHECK_INT(own_pointer(), (other + 1) * COUNT);
  check_got(other, 0);
  MPI_Barrier(MPI_COMM_WORLD);

  fill(sent, COUNT, rank, 1);
  seek_to(rank);
  MPI_File_write_all(file, sent, COUNT, MPI_INT, &status);
  check_access();
  everybody();
  seek_to(other);
  MPI_File_read_all(file, got, COUNT, MPI_INT, &status);
  check_access();
  check_got(other, 1);
  MPI_Barrier(MPI_COMM_WORLD);

  /* the pointer has moved when the call returns */
  fill(sent, COUNT, rank, 2);
  seek_to(rank);
  MPI_Request two[2];
  MPI_File_iwrite(file, sent, COUNT / 2, MPI_INT, &two[0]);
  CHECK_INT(own_pointer(), rank * COUNT + COUNT / 2);
  MPI_File_iwrite_all(file, sent + COUNT / 2, COUNT / 2, MPI_INT, &two[1]);
  MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
  everybody();
  seek_to(other);
  MPI_File_iread(file, got, COUNT / 2, MPI_INT, &two[0]);
  MPI_File_iread_all(file, got + COUNT / 2, COUNT / 2, MPI_INT, &two[1]);
  MPI_Status both[2];
  MPI_Waitall(2, two, both);
  CHECK_INT(count_in(&both[0], MPI_INT), COUNT / 2);
  CHECK_INT(count_in(&both[1], MPI_INT), COUNT / 2);
  check_got(other, 2);
  MPI_Barrier(MPI_COMM_WORLD);

  fill(sent, COUNT, rank, 3);
  seek_to(rank);
  MPI_File_write_all_begin(file, sent, COUNT, MPI_INT);
  MPI_File_write_all_end(file, sent, &status);
  check_access();
  everybody();
  seek_to(other);
  MPI_File_read_all_begin(file, got, COUNT, MPI_INT);
  MPI_File_read_all_end(file, got, &status);
  check_access();
  check_got(other, 3);

  /* to the end, and no further */
  MPI_File_seek(file, -7, MPI_SEEK_END);
  CHECK_INT(own_pointer(), size * COUNT - 7);
  MPI_File_read(file, got, COUNT, MPI_INT, &status);
  CHECK_INT(count_in(&status, MPI_INT), 7);
  CHECK_INT(own_pointer(), size * COUNT);
  MPI_File_read_all(file, got, COUNT, MPI_INT, &status);
  CHECK_INT(count_in(&status, MPI_INT), 0);
  MPI_File_iread(file, got, COUNT, MPI_INT, &request);
  MPI_Wait(&request, &status);
  CHECK_INT(count_in(&status, MPI_INT), 0);
  MPI_File_iread_all(file, got, COUNT, MPI_INT, &request);
  MPI_Wait(&request, &status);
  CHECK_INT(count_in(&status, MPI_INT), 0);
  MPI_File_read_all_begin(file, got, COUNT, MPI_INT);
  MPI_File_read_all_end(file, got, &status);
  CHECK_INT(count_in(&status, MPI_INT), 0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_write(file, NULL, 0, MPI_INT, &status);
  MPI_File_write_all(file, NULL, 0, MPI_INT, &status);
  MPI_File_iwrite(file, NULL, 0, MPI_INT, &request);
  MPI_Wait(&request, &status);
  MPI_File_iwrite_all(file, NULL, 0, MPI_INT, &request);
  MPI_Wait(&request, &status);
  CHECK_INT(count_in(&status, MPI_INT), 0);
  MPI_File_write_all_begin(file, NULL, 0, MPI_INT);
  MPI_File_write_all_end(file, NULL, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
}

/* Everything that is written is read by somebody, once. */
static void test_shared_pointer(void) {
  begin_with("shared");
  for (int turn = 0; turn < 4; ++turn) {
    const int mine[2] = {rank, turn};
    if (turn % 2 == 0) {
      MPI_File_write_shared(file, mine, 2, MPI_INT, &status);
    } else {
      MPI_File_iwrite_shared(file, mine, 2, MPI_INT, &request);
      MPI_Wait(&request, &status);
    }
    CHECK_INT(count_in(&status, MPI_INT), 2);
  }
  everybody();
  MPI_Offset at;
  MPI_File_get_position_shared(file, &at);
  CHECK_INT(at, 8 * size);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  int seen[64] = {0}, all[64];
  for (int turn = 0; turn < 4; ++turn) {
    int pair[2] = {-1, -1};
    if (turn % 2 == 0) {
      MPI_File_read_shared(file, pair, 2, MPI_INT, &status);
    } else {
      MPI_File_iread_shared(file, pair, 2, MPI_INT, &request);
      MPI_Wait(&request, &status);
    }
    CHECK_INT(count_in(&status, MPI_INT), 2);
    CHECK(pair[0] >= 0 && pair[0] < size && pair[1] >= 0 && pair[1] < 4);
    ++seen[4 * pair[0] + pair[1]];
  }
  MPI_Allreduce(seen, all, 4 * size, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 4 * size; ++i) CHECK_INT(all[i], 1);
  int one;
  MPI_File_read_shared(file, &one, 1, MPI_INT, &status);
  CHECK_INT(count_in(&status, MPI_INT), 0);
  MPI_File_iread_shared(file, &one, 1, MPI_INT, &request);
  MPI_Wait(&request, &status);
  CHECK_INT(count_in(&status, MPI_INT), 0);
  MPI_File_write_shared(file, NULL, 0, MPI_INT, &status);
  MPI_File_iwrite_shared(file, NULL, 0, MPI_INT, &request);
  MPI_Wait(&request, &status);
  CHECK_INT(count_in(&status, MPI_INT), 0);
  MPI_File_close(&file);
}

/* Ranks have parts of different lengths, some of them none. */
static void test_order(void) {
  begin_with("order");
  const int mine = rank == 1 ? 0 : 3 + rank;
  int before = 0, all = 0;
  MPI_Exscan(&mine, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) before = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  fill(sent, mine, rank, 0);
  MPI_File_write_ordered(file, sent, mine, MPI_INT, &status);
  CHECK_INT(count_in(&status, MPI_INT), mine);
  fill(sent, mine, rank, 1);
  MPI_File_write_ordered_begin(file, sent, mine, MPI_INT);
  MPI_File_write_ordered_end(file, sent, &status);
  CHECK_INT(count_in(&status, MPI_INT), mine);
  everybody();
  for (int turn = 0; turn < 2; ++turn) {
    MPI_File_read_at(file, turn * all + before, got, mine, MPI_INT, &status);
    check_elements(got, mine, rank, turn);
  }
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  clear();
  MPI_File_read_ordered(file, got, mine, MPI_INT, &status);
  CHECK_INT(count_in(&status, MPI_INT), mine);
  check_elements(got, mine, rank, 0);
  MPI_File_read_ordered_begin(file, got, mine, MPI_INT);
  MPI_File_read_ordered_end(file, got, &status);
  CHECK_INT(count_in(&status, MPI_INT), mine);
  check_elements(got, mine, rank, 1);
  MPI_Offset at;
  MPI_File_get_position_shared(file, &at);
  CHECK_INT(at, 2 * all);
  MPI_File_read_ordered(file, got, 1, MPI_INT, &status);
  CHECK_INT(count_in(&status, MPI_INT), 0);
  MPI_File_read_ordered_begin(file, NULL, 0, MPI_INT);
  MPI_File_read_ordered_end(file, NULL, MPI_STATUS_IGNORE);
  MPI_File_write_ordered(file, NULL, 0, MPI_INT, &status);
  MPI_File_write_ordered_begin(file, NULL, 0, MPI_INT);
  MPI_File_write_ordered_end(file, NULL, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
}

/* Memory with gaps, and more than a file's page. */
static void test_memory(void) {
  enum { BLOCKS = 4000 };
  static int wide[3 * BLOCKS], found[3 * BLOCKS];
  MPI_Datatype gaps;
  MPI_Type_vector(BLOCKS, 2, 3, MPI_INT, &gaps);
  MPI_Type_commit(&gaps);
  for (int i = 0; i < 3 * BLOCKS; ++i) wide[i] = element(rank, 9, i), found[i] = -1;
  begin_with("memory");
  const MPI_Offset mine = (MPI_Offset)rank * 2 * BLOCKS;
  MPI_File_write_at(file, mine, wide, 1, gaps, &status);
  CHECK_INT(count_in(&status, gaps), 1);
  CHECK_INT(count_in(&status, MPI_INT), 2 * BLOCKS);
  MPI_File_read_at(file, mine, found, 1, gaps, &status);
  CHECK_INT(count_in(&status, gaps), 1);
  for (int i = 0; i < 3 * BLOCKS - 1; ++i) CHECK_INT(found[i], i % 3 == 2 ? -1 : wide[i]);
  int packed[4];
  MPI_File_read_at(file, mine, packed, 4, MPI_INT, &status);
  CHECK(packed[0] == wide[0] && packed[1] == wide[1] && packed[2] == wide[3] && packed[3] == wide[4]);
  MPI_Type_free(&gaps);
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = world_rank();
  size = world_size();
  clear();
  test_offsets();
  test_own_pointers();
  test_shared_pointer();
  test_order();
  test_memory();
  return finish_with_files();
}
