/* ranks: 2 5
 * Data there and back, with datatypes of all sorts at both ends, between fences. */
#include <string.h>

#include "check.h"

enum { length = 300 };

static int rank, size, right, left;
static int* memory;
static MPI_Win win;

static void begin(void) {
  for (int i = 0; i < length; ++i) memory[i] = -1;
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
}
static void end(void) { MPI_Win_fence(MPI_MODE_NOSUCCEED, win); }

static void test_put(void) {
  int data[length];
  fill(data, length, rank, 1);
  begin();
  MPI_Put(data, 10, MPI_INT, right, 5, 10, MPI_INT, win);
  MPI_Put(data + 10, 1, MPI_INT, rank, 0, 1, MPI_INT, win);
  MPI_Put(data + 20, 0, MPI_INT, right, 0, 0, MPI_INT, win);
  MPI_Put(data, 10, MPI_INT, MPI_PROC_NULL, 0, 10, MPI_INT, win);
  end();
  check_elements(memory + 5, 10, left, 1);
  CHECK_INT(memory[0], element(rank, 1, 10));
  CHECK_INT(memory[1], -1);
  CHECK_INT(memory[15], -1);
}

static void test_get(void) {
  int data[length] = {0};
  for (int i = 0; i < length; ++i) memory[i] = element(rank, 2, i);
  MPI_Win_fence(0, win);
  MPI_Get(data, 10, MPI_INT, right, 7, 10, MPI_INT, win);
  MPI_Get(data + 10, 1, MPI_INT, rank, 3, 1, MPI_INT, win);
  MPI_Get(data + 20, 1, MPI_INT, MPI_PROC_NULL, 3, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  for (int i = 0; i < 10; ++i) CHECK_INT(data[i], element(right, 2, i + 7));
  CHECK_INT(data[10], element(rank, 2, 3));
  CHECK_INT(data[20], 0);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void test_strided(void) {
  MPI_Datatype every_third, every_fifth;
  MPI_Type_vector(20, 1, 3, MPI_INT, &every_third);
  MPI_Type_vector(20, 1, 5, MPI_INT, &every_fifth);
  MPI_Type_commit(&every_third);
  MPI_Type_commit(&every_fifth);
  int data[length];
  fill(data, length, rank, 3);
  begin();
  MPI_Put(data, 1, every_third, right, 2, 1, every_fifth, win);
  MPI_Type_free(&every_fifth); /* while it is in use */
  end();
  for (int i = 0; i < 20; ++i) CHECK_INT(memory[2 + 5 * i], element(left, 3, 3 * i));
  CHECK_INT(memory[3], -1);

  int got[length] = {0};
  MPI_Win_fence(0, win);
  MPI_Get(got, 20, MPI_INT, left, 2, 1, every_third, win);
  MPI_Get(got + 100, 1, every_third, left, 0, 20, MPI_INT, win);
  end();
  /* the left one has every fifth from 2 on of its own left */
  for (int i = 0; i < 20; i += 5) CHECK_INT(got[i], element((left + size - 1) % size, 3, 9 * i / 5));
  CHECK_INT(got[1], -1);
  CHECK_INT(got[100 + 3 * 7], element((left + size - 1) % size, 3, 3));
  CHECK_INT(got[101], 0);
  MPI_Type_free(&every_third);
}

static void test_irregular(void) {
  MPI_Datatype mixed, indexed;
  const int lengths[] = {1, 3, 2}, places[] = {9, 0, 5};
  MPI_Type_indexed(3, lengths, places, MPI_INT, &indexed);
  MPI_Type_commit(&indexed);
  const int ones[] = {1, 1};
  const MPI_Aint where[] = {0, 48};
  const MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT};
  MPI_Type_create_struct(2, ones, where, types, &mixed);
  MPI_Type_commit(&mixed);
  int data[6];
  fill(data, 6, rank, 4);
  double pair[7] = {1.5 + rank};
  ((int*)pair)[12] = rank;
  begin();
  MPI_Put(data, 6, MPI_INT, right, 0, 1, indexed, win);
  MPI_Put(pair, 1, mixed, right, 20, 1, mixed, win);
  end();
  CHECK_INT(memory[9], element(left, 4, 0));
  CHECK_INT(memory[2], element(left, 4, 3));
  CHECK_INT(memory[6], element(left, 4, 5));
  CHECK_INT(memory[3], -1);
  double first;
  memcpy(&first, memory + 20, sizeof first);
  CHECK(first == 1.5 + left);
  CHECK_INT(memory[32], left);
  MPI_Type_free(&mixed);
  MPI_Type_free(&indexed);
}

static void test_bottom(void) {
  int here = element(rank, 5, 0);
  MPI_Datatype absolute;
  MPI_Aint address;
  const int one = 1;
  MPI_Get_address(&here, &address);
  MPI_Type_create_hindexed(1, &one, &address, MPI_INT, &absolute);
  MPI_Type_commit(&absolute);
  begin();
  MPI_Put(MPI_BOTTOM, 1, absolute, right, 4, 1, MPI_INT, win);
  end();
  CHECK_INT(memory[4], element(left, 5, 0));
  MPI_Win_fence(0, win);
  MPI_Get(MPI_BOTTOM, 1, absolute, left, 4, 1, MPI_INT, win);
  end();
  CHECK_INT(here, element((left + size - 1) % size, 5, 0));
  MPI_Type_free(&absolute);
}

/* More than fits into one packet, from everybody to everybody. */
static void test_long(void) {
  enum { many = 20000 };
  int *mine = malloc(many * sizeof(int)), *all, *got = malloc(many * sizeof(int));
  MPI_Win large;
  MPI_Win_allocate((MPI_Aint)(size * many * sizeof(int)), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &all, &large);
  fill(mine, many, rank, 6);
  MPI_Win_fence(0, large);
  for (int to = 0; to < size; ++to) MPI_Put(mine, many, MPI_INT, to, rank * many, many, MPI_INT, large);
  MPI_Win_fence(0, large);
  for (int from = 0; from < size; ++from) check_elements(all + from * many, many, from, 6);
  MPI_Get(got, many, MPI_INT, right, left * many, many, MPI_INT, large);
  MPI_Win_fence(0, large);
  check_elements(got, many, left, 6);
  MPI_Win_fence(0, large);
  MPI_Datatype spread;
  MPI_Type_vector(many / 4, 2, 4, MPI_INT, &spread);
  MPI_Type_commit(&spread);
  MPI_Put(mine, many / 2, MPI_INT, right, 1, 1, spread, large);
  MPI_Win_fence(0, large);
  for (int i = 0; i < many / 2; ++i) CHECK_INT(all[1 + i / 2 * 4 + i % 2], element(left, 6, i));
  MPI_Type_free(&spread);
  MPI_Win_free(&large);
  free(mine);
  free(got);
}

static void test_units(void) {
  short cells[10] = {0};
  MPI_Win of_units;
  MPI_Win_create(cells, sizeof cells, rank % 2 == 0 ? 2 : 1, MPI_INFO_NULL, MPI_COMM_WORLD, &of_units);
  const short seven = 7;
  MPI_Win_fence(0, of_units);
  MPI_Put(&seven, 1, MPI_SHORT, right, 4, 1, MPI_SHORT, of_units);
  MPI_Win_fence(0, of_units);
  CHECK_INT(cells[rank % 2 == 0 ? 4 : 2], 7);
  MPI_Win_free(&of_units);
}

static void test_dynamic(void) {
  int one[3] = {1, 2, 3}, two[3] = {4, 5, 6}, got = 0;
  MPI_Win dynamic;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
  MPI_Win_attach(dynamic, one, sizeof one);
  MPI_Win_attach(dynamic, two, sizeof two);
  MPI_Aint mine[2], theirs[2];
  MPI_Get_address(one, &mine[0]);
  MPI_Get_address(two, &mine[1]);
  MPI_Sendrecv(mine, 2, MPI_AINT, left, 0, theirs, 2, MPI_AINT, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Win_fence(0, dynamic);
  const int value = 100 + rank;
  MPI_Put(&value, 1, MPI_INT, right, MPI_Aint_add(theirs[0], 8), 1, MPI_INT, dynamic);
  MPI_Get(&got, 1, MPI_INT, right, theirs[1], 1, MPI_INT, dynamic);
  MPI_Win_fence(0, dynamic);
  CHECK_INT(one[2], 100 + left);
  CHECK_INT(got, 4);
  MPI_Win_detach(dynamic, one);
  MPI_Win_detach(dynamic, two);
  MPI_Win_free(&dynamic);
}

/* One access to several pieces of attached memory, neighbours and others, but not to what lies between them. */
static void test_attached_pieces(void) {
  static int all[12];
  const int displacements[] = {1, 5, 9}, beside[] = {1, 7};
  const int lengths[] = {2, 3, 1};
  const int data[] = {101, 102, 103, 104, 105, 106};
  int got[6] = {0};
  MPI_Datatype scattered, wrong;
  MPI_Win dynamic;
  MPI_Type_indexed(3, lengths, displacements, MPI_INT, &scattered);
  MPI_Type_indexed(2, lengths, beside, MPI_INT, &wrong);
  MPI_Type_commit(&scattered);
  MPI_Type_commit(&wrong);
  for (int i = 0; i < 12; ++i) all[i] = i;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
  MPI_Win_set_errhandler(dynamic, MPI_ERRORS_RETURN);
  MPI_Win_attach(dynamic, all, 3 * sizeof(int));
  MPI_Win_attach(dynamic, all + 5, sizeof(int));
  MPI_Win_attach(dynamic, all + 6, 2 * sizeof(int));
  MPI_Win_attach(dynamic, all + 9, 3 * sizeof(int));
  MPI_Aint mine, theirs;
  MPI_Get_address(all, &mine);
  MPI_Sendrecv(&mine, 1, MPI_AINT, left, 0, &theirs, 1, MPI_AINT, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Win_fence(0, dynamic);
  FAILS(MPI_Put(data, 5, MPI_INT, right, theirs, 1, wrong, dynamic), MPI_ERR_RMA_RANGE);
  MPI_Put(data, 6, MPI_INT, right, theirs, 1, scattered, dynamic);
  MPI_Win_fence(0, dynamic);
  MPI_Get(got, 6, MPI_INT, right, theirs, 1, scattered, dynamic);
  MPI_Win_fence(0, dynamic);
  const int expected[] = {0, 101, 102, 3, 4, 103, 104, 105, 8, 106, 10, 11};
  for (int i = 0; i < 12; ++i) CHECK_INT(all[i], expected[i]);
  for (int i = 0; i < 6; ++i) CHECK_INT(got[i], data[i]);
  MPI_Win_detach(dynamic, all);
  MPI_Win_detach(dynamic, all + 5);
  MPI_Win_detach(dynamic, all + 6);
  MPI_Win_detach(dynamic, all + 9);
  MPI_Win_free(&dynamic);
  MPI_Type_free(&scattered);
  MPI_Type_free(&wrong);
}

/* Of a part of the ranks, in another order. */
static void test_part(void) {
  MPI_Comm part;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
  int of_part, ranks, cell = -1;
  MPI_Comm_rank(part, &of_part);
  MPI_Comm_size(part, &ranks);
  MPI_Win of_few;
  MPI_Win_create(&cell, sizeof cell, sizeof cell, MPI_INFO_NULL, part, &of_few);
  MPI_Comm_free(&part);
  MPI_Win_fence(0, of_few);
  MPI_Put(&rank, 1, MPI_INT, (of_part + 1) % ranks, 0, 1, MPI_INT, of_few);
  MPI_Win_fence(0, of_few);
  const int neighbour = rank + 2 < size ? rank + 2 : rank % 2;
  CHECK_INT(cell, neighbour);
  MPI_Win_free(&of_few);
}

static void test_requests(void) {
  MPI_Request requests[5];
  MPI_Status statuses[5];
  int data[4], got[4] = {0}, result = -1, flag = 0;
  fill(data, 4, rank, 7);
  begin();
  end();
  MPI_Win_lock_all(0, win);
  MPI_Rput(data, 4, MPI_INT, right, 0, 4, MPI_INT, win, &requests[0]);
  MPI_Raccumulate(data, 1, MPI_INT, right, 10, 1, MPI_INT, MPI_SUM, win, &requests[1]);
  MPI_Rput(data, 4, MPI_INT, MPI_PROC_NULL, 0, 4, MPI_INT, win, &requests[2]);
  MPI_Waitall(3, requests, statuses);
  for (int i = 0; i < 3; ++i) CHECK(requests[i] == MPI_REQUEST_NULL);
  MPI_Rget(got, 4, MPI_INT, right, 0, 4, MPI_INT, win, &requests[0]);
  MPI_Rget_accumulate(data, 1, MPI_INT, &result, 1, MPI_INT, right, 10, 1, MPI_INT, MPI_SUM, win, &requests[1]);
  while (!flag) MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
  check_elements(got, 4, rank, 7);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  CHECK_INT(result, data[0] - 1);
  MPI_Rget(got, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &requests[0]);
  MPI_Raccumulate(got, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, win, &requests[1]);
  MPI_Rget_accumulate(got, 1, MPI_INT, &result, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, win, &requests[2]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  check_elements(memory, 4, left, 7);
  CHECK_INT(memory[10], 2 * element(left, 7, 0) - 1);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = world_rank();
  size = world_size();
  right = (rank + 1) % size;
  left = (rank + size - 1) % size;
  MPI_Win_allocate(length * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  test_put();
  test_get();
  test_strided();
  test_irregular();
  test_bottom();
  test_long();
  test_units();
  test_dynamic();
  test_attached_pieces();
  test_part();
  test_requests();
  MPI_Win_free(&win);
  return finish();
}
