/* ranks: 2 8
 * Windows whose memory the ranks of a node share. */
#include "check.h"

static int rank, size;
static MPI_Comm node;
static MPI_Win win;

static int* part_of(int of) {
  MPI_Aint bytes;
  int unit, *part;
  MPI_Win_shared_query(win, of, &bytes, &unit, &part);
  CHECK(bytes == (MPI_Aint)sizeof(int) * (of + 1) && unit == (int)sizeof(int));
  return part;
}

/* Parts follow one another. */
static void test_loads_and_stores(void) {
  int* mine;
  MPI_Win_allocate_shared((MPI_Aint)sizeof(int) * (rank + 1), sizeof(int), MPI_INFO_NULL, node, &mine, &win);
  CHECK(mine == part_of(rank));
  CHECK(part_of(0) + rank * (rank + 1) / 2 == mine);
  MPI_Win_lock_all(0, win);
  mine[rank] = 50 + rank;
  MPI_Win_sync(win);
  MPI_Barrier(node);
  for (int of = 0; of < size; ++of) CHECK_INT(part_of(of)[of], 50 + of);
  MPI_Barrier(node);
  /* everybody adds to the first one's */
  const int one = 1;
  int before;
  if (rank == 0) *mine = 0;
  MPI_Barrier(node);
  MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
  MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 0, MPI_SUM, win);
  MPI_Win_flush(0, win);
  MPI_Barrier(node);
  CHECK_INT(*part_of(0), 2 * size);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
}

/* A token goes round by stores alone. */
static void test_token(void) {
  int* mine;
  MPI_Win_allocate_shared((MPI_Aint)sizeof(int) * (rank + 1), sizeof(int), MPI_INFO_NULL, node, &mine, &win);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
  volatile int* here = mine;
  volatile int* next = part_of((rank + 1) % size);
  *here = 0;
  MPI_Barrier(node);
  for (int turn = 1; turn <= 3 && size > 1; ++turn) {
    if (rank == 0) *next = turn;
    while (*here != turn) MPI_Win_sync(win);
    if (rank != 0) *next = turn;
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
}

static void test_in_pieces(void) {
  int* mine;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "alloc_shared_noncontig", "true");
  MPI_Win_allocate_shared((MPI_Aint)sizeof(int) * (rank + 1), sizeof(int), info, node, &mine, &win);
  MPI_Info_free(&info);
  MPI_Win_fence(0, win);
  MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  CHECK_INT(*mine, (rank + size - 1) % size);
  for (int of = 0; of < size; ++of) CHECK_INT(*part_of(of), (of + size - 1) % size);
  MPI_Win_free(&win);
}

/* The first rank brings all. */
static void test_one_brings_all(void) {
  int *mine, *all, unit;
  MPI_Aint bytes;
  MPI_Win_allocate_shared(rank == size - 1 ? 64 : 0, sizeof(int), MPI_INFO_NULL, node, &mine, &win);
  MPI_Win_shared_query(win, MPI_PROC_NULL, &bytes, &unit, &all);
  CHECK_INT(bytes, 64);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, size - 1, 0, win);
  all[1] = all[0] = rank;
  MPI_Win_unlock(size - 1, win);
  MPI_Win_fence(0, win);
  CHECK_INT(all[0], all[1]);
  MPI_Win_free(&win);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &rank);
  MPI_Comm_size(node, &size);
  test_loads_and_stores();
  test_token();
  test_in_pieces();
  test_one_brings_all();
  MPI_Comm_free(&node);
  return finish();
}
