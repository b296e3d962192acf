/* ranks: 2 4
 * Windows with several threads of every rank: operations and flushes at once under one lock of all, a thread each for a
 * window of its own in every kind of epoch, requests that another thread waits for, and a counter that all share. */
#define _XOPEN_SOURCE 700
#include <pthread.h>
#include <string.h>

#include "check.h"

enum { threads = 4, rounds = 5, wide = 40, long_count = 3000 };

static int rank, size, right, left;
static MPI_Win win, wins[threads];
static int* memory;
static int own_memory[threads][wide];
static MPI_Comm comms[threads];

static void at_once(void* (*function)(void*)) {
  pthread_t made[threads];
  for (long i = 0; i < threads; ++i) CHECK_INT(pthread_create(&made[i], NULL, function, (void*)i), 0);
  for (int i = 0; i < threads; ++i) CHECK_INT(pthread_join(made[i], NULL), 0);
}

/* Each thread has cells of its own at every target. */
static void* puts_and_flushes(void* number) {
  const int own = (int)(long)number;
  int out[8], in[8];
  for (int round = 0; round < rounds; ++round)
    for (int target = 0; target < size; ++target) {
      const int at = (rank * threads + own) * 8;
      fill(out, 8, rank, own * rounds + round);
      memset(in, 0, sizeof in);
      MPI_Put(out, 8, MPI_INT, target, at, 8, MPI_INT, win);
      switch ((round + own) % 3) {
        case 0:
          MPI_Win_flush(target, win);
          break;
        case 1:
          MPI_Win_flush_all(win);
          break;
        default:
          MPI_Win_flush_local(target, win);
          MPI_Win_flush(target, win);
      }
      MPI_Get(in, 8, MPI_INT, target, at, 8, MPI_INT, win);
      if (round % 2 == 0)
        MPI_Win_flush_local(target, win);
      else
        MPI_Win_flush_local_all(win);
      check_elements(in, 8, rank, own * rounds + round);
    }
  return NULL;
}

static int counted[threads][rounds];
static void* counts(void* number) {
  const int own = (int)(long)number, one = 1;
  for (int round = 0; round < rounds; ++round) {
    MPI_Fetch_and_op(&one, &counted[own][round], MPI_INT, 0, size * threads * 8, MPI_SUM, win);
    MPI_Win_flush(0, win);
    if (round > 0) CHECK(counted[own][round] > counted[own][round - 1]);
  }
  return NULL;
}

/* A lock made of compare-and-swap keeps threads of all ranks apart. */
static void* swaps(void* number) {
  const int zero = 0, mine = rank * threads + (int)(long)number + 1, lock = size * threads * 8 + 1, cell = lock + 1;
  int found, value;
  for (int round = 0; round < 2; ++round) {
    do {
      MPI_Compare_and_swap(&mine, &zero, &found, MPI_INT, 0, lock, win);
      MPI_Win_flush(0, win);
    } while (found != 0);
    MPI_Get(&value, 1, MPI_INT, 0, cell, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    ++value;
    MPI_Put(&value, 1, MPI_INT, 0, cell, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    MPI_Accumulate(&zero, 1, MPI_INT, 0, lock, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
  }
  return NULL;
}

static void* requests(void* number) {
  const int own = (int)(long)number, at = (rank * threads + own) * 8;
  MPI_Request pending[3];
  int out[4], sum[4], before[4], in[4];
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < 4; ++i) out[i] = own + i, sum[i] = 1;
    MPI_Rput(out, 4, MPI_INT, right, at, 4, MPI_INT, win, &pending[0]);
    MPI_Wait(&pending[0], MPI_STATUS_IGNORE);
    MPI_Raccumulate(sum, 4, MPI_INT, right, at, 4, MPI_INT, MPI_SUM, win, &pending[0]);
    MPI_Rget_accumulate(sum, 4, MPI_INT, before, 4, MPI_INT, right, at, 4, MPI_INT, MPI_SUM, win, &pending[1]);
    MPI_Rget(in, 4, MPI_INT, right, at, 4, MPI_INT, win, &pending[2]);
    int index;
    if (round % 2 == 0)
      MPI_Waitall(3, pending, MPI_STATUSES_IGNORE);
    else
      for (int left_over = 3; left_over > 0; --left_over) MPI_Waitany(3, pending, &index, MPI_STATUS_IGNORE);
    for (int i = 0; i < 4; ++i) CHECK_INT(before[i], own + i + 1);
    for (int i = 0; i < 4; ++i) CHECK(in[i] == own + i + 2);
  }
  return NULL;
}

/* Each has a target of its own to lock, which threads of other ranks lock, too. */
static void* locks_a_target(void* number) {
  const int target = (int)(long)number, cell = size * threads * 8 + 2;
  int value;
  for (int round = 0; round < rounds && target < size; ++round) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win);
    MPI_Get(&value, 1, MPI_INT, target, cell, 1, MPI_INT, win);
    MPI_Win_flush(target, win);
    ++value;
    MPI_Put(&value, 1, MPI_INT, target, cell, 1, MPI_INT, win);
    if (round % 2 == 0) MPI_Win_flush_all(win);
    MPI_Win_unlock(target, win);
  }
  return NULL;
}

/* A window is a thread's own. */
static void* epochs(void* number) {
  const int own = (int)(long)number;
  const MPI_Win mine = wins[own];
  MPI_Group everybody, to, from;
  MPI_Comm_group(comms[own], &everybody);
  MPI_Group_incl(everybody, 1, &right, &to);
  MPI_Group_incl(everybody, 1, &left, &from);
  for (int round = 0; round < rounds; ++round) {
    const int value = element(rank, own, round);
    int got = -1;
    MPI_Win_fence(0, mine);
    MPI_Put(&value, 1, MPI_INT, right, 0, 1, MPI_INT, mine);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, mine);
    CHECK_INT(own_memory[own][0], element(left, own, round));
    MPI_Win_post(from, 0, mine);
    MPI_Win_start(to, 0, mine);
    MPI_Put(&value, 1, MPI_INT, right, 1, 1, MPI_INT, mine);
    MPI_Win_complete(mine);
    MPI_Win_wait(mine);
    CHECK_INT(own_memory[own][1], element(left, own, round));
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, mine);
    MPI_Put(&value, 1, MPI_INT, right, 2, 1, MPI_INT, mine);
    MPI_Win_unlock(right, mine);
    MPI_Win_lock(MPI_LOCK_SHARED, right, 0, mine);
    MPI_Get(&got, 1, MPI_INT, right, 2, 1, MPI_INT, mine);
    MPI_Win_unlock(right, mine);
    CHECK_INT(got, value);
    MPI_Barrier(comms[own]);
  }
  MPI_Group_free(&to);
  MPI_Group_free(&from);
  MPI_Group_free(&everybody);
  return NULL;
}

static void* makes_windows(void* number) {
  const int own = (int)(long)number;
  for (int round = 0; round < 2; ++round) {
    MPI_Win made;
    int* base;
    MPI_Win_allocate(long_count * sizeof(int), sizeof(int), MPI_INFO_NULL, comms[own], &base, &made);
    MPI_Win_fence(0, made);
    int* out = malloc(long_count * sizeof(int));
    fill(out, long_count, rank, own);
    MPI_Put(out, long_count, MPI_INT, right, 0, long_count, MPI_INT, made);
    MPI_Win_fence(0, made);
    check_elements(base, long_count, left, own);
    MPI_Win_free(&made);
    free(out);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided, sum = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  CHECK_INT(provided, MPI_THREAD_MULTIPLE);
  rank = world_rank();
  size = world_size();
  right = (rank + 1) % size;
  left = (rank + size - 1) % size;
  const int cells = size * threads * 8 + 3;
  MPI_Win_allocate(cells * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  memset(memory, 0, cells * sizeof(int));
  for (int i = 0; i < threads; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    MPI_Win_create(own_memory[i], sizeof own_memory[i], sizeof(int), MPI_INFO_NULL, comms[i], &wins[i]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  at_once(puts_and_flushes);
  MPI_Barrier(MPI_COMM_WORLD);
  at_once(counts);
  at_once(swaps);
  MPI_Barrier(MPI_COMM_WORLD);
  at_once(requests);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) CHECK_INT(memory[size * threads * 8], size * threads * rounds);
  if (rank == 0) CHECK_INT(memory[size * threads * 8 + 2], size * threads * 2);
  for (int i = 0; i < threads; ++i)
    for (int round = 0; round < rounds; ++round) sum += counted[i][round];
  MPI_Barrier(MPI_COMM_WORLD);
  memory[size * threads * 8 + 2] = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  at_once(locks_a_target);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_INT(memory[size * threads * 8 + 2], size * rounds);
  const int n = size * threads * rounds;
  int all = 0;
  MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK_INT(all, n * (n - 1) / 2);
  at_once(epochs);
  at_once(makes_windows);
  for (int i = 0; i < threads; ++i) {
    MPI_Win_free(&wins[i]);
    MPI_Comm_free(&comms[i]);
  }
  MPI_Win_free(&win);
  return finish();
}
