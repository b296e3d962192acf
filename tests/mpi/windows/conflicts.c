/* ranks: 2 3
 * What the standard forbids, in a run that does not look for it: elements that overlap, and accesses that conflict. One
 * of the values is what stays; nothing else is touched, and whatever comes later goes on. */
#include "check.h"

enum { length = 6 };

static int rank, size, *part;
static MPI_Win win;
static MPI_Datatype twice;

static void clear(void) {
  for (int i = 0; i < length; ++i) part[i] = -1;
  MPI_Barrier(MPI_COMM_WORLD);
}

static void check_others_untouched(void) {
  for (int i = 0; i < length; ++i)
    if (i != 2) CHECK_INT(part[i], -1);
}

/* The second one stays, as it is copied later. */
static void test_overlapping_at_the_target(void) {
  const int values[2] = {10, 20};
  clear();
  MPI_Win_fence(0, win);
  MPI_Put(values, 2, MPI_INT, (rank + 1) % size, 2, 1, twice, win);
  MPI_Win_fence(0, win);
  CHECK_INT(part[2], 20);
  check_others_untouched();
}

static void test_overlapping_at_the_origin(void) {
  int values[3] = {-1, -1, -1};
  clear();
  part[2] = 100 + rank;
  part[3] = 200 + rank;
  MPI_Win_fence(0, win);
  MPI_Get(&values[1], 1, twice, (rank + 1) % size, 2, 2, MPI_INT, win);
  MPI_Win_fence(0, win);
  CHECK_INT(values[1], 200 + (rank + 1) % size);
  CHECK(values[0] == -1 && values[2] == -1);
}

/* All write to one place of rank 0, which reads it at the same time. */
static void test_accesses_that_conflict(void) {
  int seen = -2;
  clear();
  MPI_Win_fence(0, win);
  MPI_Put(&rank, 1, MPI_INT, 0, 2, 1, MPI_INT, win);
  MPI_Get(&seen, 1, MPI_INT, 0, 2, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  CHECK(seen >= -1 && seen < size);
  if (rank == 0) CHECK(part[2] >= 0 && part[2] < size);
  check_others_untouched();
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  MPI_Put(&rank, 1, MPI_INT, 0, 2, 1, MPI_INT, win);
  MPI_Accumulate(&rank, 1, MPI_INT, 0, 2, 1, MPI_INT, MPI_REPLACE, win);
  MPI_Win_unlock(0, win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) CHECK(part[2] >= 0 && part[2] < size);
}

int main(int argc, char** argv) {
  const int lengths[2] = {1, 1}, places[2] = {0, 0};
  MPI_Init(&argc, &argv);
  rank = world_rank();
  size = world_size();
  MPI_Type_indexed(2, lengths, places, MPI_INT, &twice);
  MPI_Type_commit(&twice);
  MPI_Win_allocate(length * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &part, &win);
  test_overlapping_at_the_target();
  test_overlapping_at_the_origin();
  test_accesses_that_conflict();
  MPI_Win_free(&win);
  MPI_Type_free(&twice);
  return finish();
}
