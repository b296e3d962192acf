/* ranks: 2 3
 * A rank that looks at its own memory until another has changed it, in calls of every kind that may have nothing to
 * wait for: time goes on meanwhile, and the other's operation is worked on. */
#include "check.h"

enum { ways = 15 };
static MPI_Win win;
static volatile int* memory;
static MPI_Group alone;

static int value(void) {
  int got = -1;
  MPI_Get(&got, 1, MPI_INT, world_rank(), 0, 1, MPI_INT, win);
  return got;
}

static int asked_for(void) {
  int got = -1;
  MPI_Request request;
  MPI_Rget(&got, 1, MPI_INT, world_rank(), 0, 1, MPI_INT, win, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return got;
}

static void expose_to_self(int by_test) {
  int flag = 0;
  MPI_Win_post(alone, 0, win);
  MPI_Win_start(alone, 0, win);
  MPI_Win_complete(win);
  while (by_test && !flag) MPI_Win_test(win, &flag);
  if (!by_test) MPI_Win_wait(win);
}

static int look_under_lock(int type, int assertion, int by_get) {
  int got = -1;
  MPI_Win_lock(type, world_rank(), assertion, win);
  if (by_get)
    MPI_Get(&got, 1, MPI_INT, world_rank(), 0, 1, MPI_INT, win);
  else
    got = memory[0];
  MPI_Win_unlock(world_rank(), win);
  return got;
}

static int look_under_all_locks(int by_get) {
  int got = -1;
  MPI_Win_lock_all(0, win);
  if (by_get)
    MPI_Get(&got, 1, MPI_INT, world_rank(), 0, 1, MPI_INT, win);
  else
    got = memory[0];
  MPI_Win_unlock_all(win);
  return got;
}

/* In an epoch of all locks. */
static int look_in_epoch(int way) {
  int got;
  switch (way) {
    case 0:
      MPI_Win_flush(world_rank(), win);
      return memory[0];
    case 1:
      MPI_Win_flush_local(world_rank(), win);
      return memory[0];
    case 2:
      MPI_Win_flush_all(win);
      return memory[0];
    case 3:
      MPI_Win_flush_local_all(win);
      return memory[0];
    case 4:
      MPI_Win_sync(win);
      return memory[0];
    case 5:
      got = value();
      MPI_Win_flush(world_rank(), win);
      return got;
    case 6:
      got = value();
      MPI_Win_flush_local(world_rank(), win);
      return got;
    default:
      return asked_for();
  }
}

static int look(int way) {
  switch (way) {
    case 8:
      return look_under_lock(MPI_LOCK_SHARED, 0, 0);
    case 9:
      return look_under_lock(MPI_LOCK_EXCLUSIVE, 0, 1);
    case 10:
      return look_under_lock(MPI_LOCK_SHARED, MPI_MODE_NOCHECK, 0);
    case 11:
      return look_under_all_locks(0);
    case 12:
      return look_under_all_locks(1);
    default:
      expose_to_self(way == 13);
      return memory[0];
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int last = world_size() - 1;
  MPI_Group all;
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, (void*)&memory, &win);
  MPI_Win_get_group(win, &all);
  MPI_Group_incl(all, 1, &last, &alone);
  for (int way = 0; way < ways; ++way) {
    memory[0] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == last) {
      if (way < 8) MPI_Win_lock_all(0, win);
      while ((way < 8 ? look_in_epoch(way) : look(way)) != way + 1) continue;
      if (way < 8) MPI_Win_unlock_all(win);
    } else if (world_rank() == 0) {
      const int news = way + 1;
      const double began = MPI_Wtime();
      while (MPI_Wtime() < began + 1e-4) continue;
      MPI_Win_lock(MPI_LOCK_SHARED, last, 0, win);
      MPI_Put(&news, 1, MPI_INT, last, 0, 1, MPI_INT, win);
      MPI_Win_unlock(last, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Group_free(&all);
  MPI_Group_free(&alone);
  MPI_Win_free(&win);
  return finish();
}
