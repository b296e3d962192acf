/* ranks: 2 3 5
 * Epochs of groups of nobody and of neighbours, one kind of epoch after another on one window, with all assertions that
 * hold, and accesses of no target in them. */
#include "check.h"

enum { length = 60 };

static int rank, size, right, left;
static int memory[length];

static void wipe(int* data, int count) {
  for (int i = 0; i < count; ++i) data[i] = -1;
}

static void test_groups_of_nobody(void) {
  MPI_Win win;
  int flag = 0, value = rank;
  MPI_Group everybody, one;
  wipe(memory, length);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_post(MPI_GROUP_EMPTY, 0, win);
  MPI_Win_start(MPI_GROUP_EMPTY, 0, win);
  MPI_Win_complete(win);
  MPI_Win_test(win, &flag);
  CHECK_INT(flag, 1);
  MPI_Win_post(MPI_GROUP_EMPTY, MPI_MODE_NOSTORE | MPI_MODE_NOPUT, win);
  MPI_Win_wait(win);
  /* All but one access it. */
  MPI_Comm_group(MPI_COMM_WORLD, &everybody);
  const int zero = 0;
  if (rank == 0) {
    MPI_Group others;
    MPI_Group_excl(everybody, 1, &zero, &others);
    for (int round = 0; round < 3; ++round) {
      MPI_Win_post(others, 0, win);
      for (flag = 0; !flag;) MPI_Win_test(win, &flag);
      for (int i = 1; i < size; ++i) CHECK_INT(memory[i], i + round);
    }
    MPI_Group_free(&others);
  } else {
    MPI_Group_incl(everybody, 1, &zero, &one);
    for (int round = 0; round < 3; ++round) {
      MPI_Win_start(one, 0, win);
      value = rank + round;
      MPI_Put(&value, 1, MPI_INT, 0, rank, 1, MPI_INT, win);
      MPI_Win_complete(win);
    }
    MPI_Group_free(&one);
  }
  MPI_Group_free(&everybody);
  MPI_Win_free(&win);
}

/* With neighbours only, of which there may be two that are the same, and nothing done in some rounds. */
static void test_groups_of_neighbours(void) {
  MPI_Win win;
  MPI_Group everybody, neighbours;
  int both[2] = {left, right};
  MPI_Comm_group(MPI_COMM_WORLD, &everybody);
  MPI_Group_incl(everybody, size == 2 ? 1 : 2, both, &neighbours);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  for (int round = 0; round < 6; ++round) {
    const int values[2] = {element(rank, 1, round), element(rank, 2, round)};
    wipe(memory, 2);
    MPI_Win_post(neighbours, round % 2 ? MPI_MODE_NOSTORE : 0, win);
    MPI_Win_start(neighbours, 0, win);
    if (round % 3 != 2) {
      MPI_Put(&values[0], 1, MPI_INT, left, 1, 1, MPI_INT, win);
      MPI_Put(&values[1], 1, MPI_INT, right, 0, 1, MPI_INT, win);
    }
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    CHECK_INT(memory[1], round % 3 != 2 ? element(right, 1, round) : -1);
    CHECK_INT(memory[0], round % 3 != 2 ? element(left, 2, round) : -1);
  }
  MPI_Group_free(&neighbours);
  MPI_Group_free(&everybody);
  MPI_Win_free(&win);
}

/* All kinds of epochs on one window, one after the other, with all assertions that hold. */
static void test_one_after_another(void) {
  MPI_Win win;
  MPI_Group to_right, from_left, everybody;
  int value, got, one = 1;
  MPI_Comm_group(MPI_COMM_WORLD, &everybody);
  MPI_Group_incl(everybody, 1, &right, &to_right);
  MPI_Group_incl(everybody, 1, &left, &from_left);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  for (int round = 0; round < 4; ++round) {
    wipe(memory, length);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    value = element(rank, round, 0);
    MPI_Put(&value, 1, MPI_INT, right, 0, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED, win);
    CHECK_INT(memory[0], element(left, round, 0));
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win);
    MPI_Put(&value, 1, MPI_INT, right, 1, 1, MPI_INT, win);
    MPI_Win_unlock(right, win);
    MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win);
    MPI_Get(&got, 1, MPI_INT, right, 1, 1, MPI_INT, win);
    MPI_Win_unlock(right, win);
    CHECK_INT(got, value);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_post(from_left, 0, win);
    MPI_Win_start(to_right, 0, win);
    MPI_Accumulate(&one, 1, MPI_INT, right, 1, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    CHECK_INT(memory[1], element(left, round, 0) + 1);
    MPI_Win_lock_all(round % 2 ? MPI_MODE_NOCHECK : 0, win);
    for (int target = 0; target < size; ++target) {
      MPI_Fetch_and_op(&one, &got, MPI_INT, target, 2, MPI_SUM, win);
      MPI_Win_flush_local(target, win);
      CHECK(got >= -1 && got < size - 1);
    }
    MPI_Win_flush_local_all(win);
    MPI_Win_flush_all(win);
    MPI_Win_sync(win);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(memory[2], size - 1);
  }
  MPI_Group_free(&to_right);
  MPI_Group_free(&from_left);
  MPI_Group_free(&everybody);
  MPI_Win_free(&win);
}

/* A target that is none is no matter in any epoch, and its lock is none. */
static void test_no_target(void) {
  MPI_Win win;
  MPI_Request requests[4];
  MPI_Status statuses[4];
  int value = 3, result = 4;
  wipe(memory, length);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, MPI_PROC_NULL, 0, win);
  MPI_Put(&value, 1, MPI_INT, MPI_PROC_NULL, 1000, 1, MPI_INT, win);
  MPI_Win_flush(MPI_PROC_NULL, win);
  MPI_Win_flush_local(MPI_PROC_NULL, win);
  MPI_Win_unlock(MPI_PROC_NULL, win);
  MPI_Win_lock_all(0, win);
  MPI_Get(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
  MPI_Accumulate(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, win);
  MPI_Get_accumulate(&value, 1, MPI_INT, &result, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, win);
  MPI_Fetch_and_op(&value, &result, MPI_INT, MPI_PROC_NULL, 0, MPI_SUM, win);
  MPI_Compare_and_swap(&value, &value, &result, MPI_INT, MPI_PROC_NULL, 0, win);
  MPI_Rput(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &requests[0]);
  MPI_Rget(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &requests[1]);
  MPI_Raccumulate(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, win, &requests[2]);
  MPI_Rget_accumulate(&value, 1, MPI_INT, &result, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, win,
                      &requests[3]);
  MPI_Waitall(4, requests, statuses);
  MPI_Win_unlock_all(win);
  CHECK(value == 3 && result == 4);
  MPI_Win_free(&win);
  CHECK_INT(memory[0], -1);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = world_rank();
  size = world_size();
  right = (rank + 1) % size;
  left = (rank + size - 1) % size;
  test_groups_of_nobody();
  test_groups_of_neighbours();
  test_one_after_another();
  test_no_target();
  return finish();
}
