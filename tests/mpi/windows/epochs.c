/* ranks: 2 5
 * Synchronization: fences, groups, locks. */
#include "check.h"

static int rank, size, right, left;
static int* memory;
static MPI_Win win;

static void test_fences(void) {
  memory[0] = 0;
  MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSTORE | MPI_MODE_NOPUT, win);
  for (int turn = 1; turn <= 10; ++turn) {
    const int value = 10 * rank + turn;
    MPI_Put(&value, 1, MPI_INT, right, turn, 1, MPI_INT, win);
    MPI_Win_fence(turn == 10 ? MPI_MODE_NOSUCCEED : 0, win);
    CHECK_INT(memory[turn], 10 * left + turn);
  }
}

static MPI_Group group_of(int one, int other) {
  MPI_Group world, some;
  const int ranks[] = {one, other};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, one == other ? 1 : 2, ranks, &some);
  MPI_Group_free(&world);
  return some;
}

/* Everybody is origin and target. */
static void test_groups(int assertion) {
  MPI_Group both = group_of(left, right), of_left = group_of(left, left), of_right = group_of(right, right);
  memory[0] = memory[1] = -1;
  MPI_Win_post(both, assertion & ~MPI_MODE_NOCHECK, win);
  MPI_Win_start(both, 0, win);
  MPI_Put(&rank, 1, MPI_INT, right, 0, 1, MPI_INT, win);
  MPI_Put(&rank, 1, MPI_INT, left, 1, 1, MPI_INT, win);
  MPI_Win_complete(win);
  MPI_Win_wait(win);
  CHECK(memory[0] == left && memory[1] == right);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int turn = 0; turn < 5; ++turn) {
    int flag = 0, got = -1;
    memory[2] = 100 * rank + turn;
    MPI_Win_post(of_left, assertion, win);
    if (assertion & MPI_MODE_NOCHECK) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_start(of_right, assertion & MPI_MODE_NOCHECK, win);
    MPI_Get(&got, 1, MPI_INT, right, 2, 1, MPI_INT, win);
    MPI_Win_complete(win);
    CHECK_INT(got, 100 * right + turn);
    while (!flag) MPI_Win_test(win, &flag);
  }
  MPI_Win_post(MPI_GROUP_EMPTY, 0, win);
  MPI_Win_start(MPI_GROUP_EMPTY, 0, win);
  MPI_Win_complete(win);
  MPI_Win_wait(win);
  MPI_Group_free(&both);
  MPI_Group_free(&of_left);
  MPI_Group_free(&of_right);
}

/* What is not atomic is done under an exclusive lock. */
static void test_exclusive(void) {
  enum { turns = 5 };
  MPI_Barrier(MPI_COMM_WORLD);
  memory[0] = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  for (int turn = 0; turn < turns; ++turn)
    for (int step = 0; step < size; ++step) {
      const int target = (rank + step) % size;
      int count = -1;
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win);
      MPI_Get(&count, 1, MPI_INT, target, 0, 1, MPI_INT, win);
      MPI_Win_flush(target, win);
      ++count;
      MPI_Put(&count, 1, MPI_INT, target, 0, 1, MPI_INT, win);
      MPI_Win_unlock(target, win);
    }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
  CHECK_INT(memory[0], turns * size);
  MPI_Win_unlock(rank, win);
  MPI_Win_lock(MPI_LOCK_SHARED, MPI_PROC_NULL, 0, win);
  MPI_Win_unlock(MPI_PROC_NULL, win);
}

static void test_several_locks(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  memory[0] = memory[1] = -1;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, left, 0, win);
  if (left != right) MPI_Win_lock(MPI_LOCK_SHARED, right, MPI_MODE_NOCHECK, win);
  MPI_Put(&rank, 1, MPI_INT, right, 0, 1, MPI_INT, win);
  MPI_Put(&rank, 1, MPI_INT, left, 1, 1, MPI_INT, win);
  MPI_Win_flush_all(win);
  MPI_Win_flush_local(left, win);
  MPI_Win_unlock(left, win);
  if (left != right) MPI_Win_unlock(right, win);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(memory[0] == left && memory[1] == right);
}

static void test_lock_all(int assertion) {
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 8; ++i) memory[i] = -1;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(assertion, win);
  for (int to = 0; to < size; ++to) MPI_Put(&rank, 1, MPI_INT, to, rank, 1, MPI_INT, win);
  MPI_Win_flush_local_all(win);
  MPI_Win_flush_all(win);
  MPI_Win_flush_local(MPI_PROC_NULL, win);
  MPI_Win_flush(MPI_PROC_NULL, win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(win);
  for (int from = 0; from < size; ++from) CHECK_INT(memory[from], from);
  MPI_Win_unlock_all(win);
}

/* A rank that only looks at its memory, and lets time go on. */
static void test_spinning(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  volatile int* flag = memory;
  *flag = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    for (int to = 1; to < size; ++to) {
      const int go = 1;
      MPI_Put(&go, 1, MPI_INT, to, 0, 1, MPI_INT, win);
    }
    MPI_Win_flush_all(win);
  } else {
    while (*flag == 0) MPI_Win_sync(win);
  }
  MPI_Win_unlock_all(win);
}

/* While everybody waits in other calls. */
static void test_with_messages(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  memory[0] = -1;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    for (int to = 1; to < size; ++to) {
      const int value = 40 + to;
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, to, 0, win);
      MPI_Put(&value, 1, MPI_INT, to, 0, 1, MPI_INT, win);
      MPI_Win_unlock(to, win);
      MPI_Send(&value, 1, MPI_INT, to, 9, MPI_COMM_WORLD);
    }
  } else {
    int value;
    MPI_Recv(&value, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_INT(memory[0], value);
  }
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK_INT(sum, size * (size - 1) / 2);
}

/* One kind of epoch after the other. */
static void test_changes(void) {
  MPI_Win_fence(0, win);
  test_exclusive();
  MPI_Win_fence(0, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  test_groups(0);
  MPI_Win_fence(0, win);
  MPI_Put(&rank, 1, MPI_INT, right, 3, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  CHECK_INT(memory[3], left);
  test_lock_all(0);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = world_rank();
  size = world_size();
  right = (rank + 1) % size;
  left = (rank + size - 1) % size;
  MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  test_fences();
  test_groups(0);
  test_groups(MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOCHECK);
  test_exclusive();
  test_several_locks();
  test_lock_all(0);
  test_lock_all(MPI_MODE_NOCHECK);
  test_spinning();
  test_with_messages();
  test_changes();
  MPI_Win_free(&win);
  return finish();
}
