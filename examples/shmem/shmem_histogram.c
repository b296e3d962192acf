/* A histogram of keys that all PEs have, in bins that are divided among them, counted in three ways with SHMEM: each
 * key by an atomic increment where its bin is; each by a get and a put under a lock, of which each PE has one; and by
 * counting at home first and adding up what all have.   shmem_histogram [KEYS [BINS]], the keys of each PE */
#include <hindcast.h>
#include <mpp/shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long sync[_SHMEM_REDUCE_SYNC_SIZE];
static int me, pes, keys, bins;

/* The same keys whoever asks, more of the low ones. */
static int key_of(int pe, int i) {
  unsigned state = (unsigned)(pe * 7919 + i) * 2654435761u;
  state = (state ^ state >> 15) * 2246822519u;
  state ^= state >> 13;
  return (int)((unsigned long)(state & 0xffff) * (state >> 16) * (unsigned long)bins >> 32);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Bin b is number b / pes on PE b % pes. */
static void by_increments(long* mine) {
  for (int i = 0; i < keys; ++i) {
    const int bin = key_of(me, i);
    shmem_long_inc(&mine[bin / pes], bin % pes);
  }
}

static void under_locks(long* mine) {
  long* locks = shmalloc(pes * sizeof(long));
  memset(locks, 0, pes * sizeof(long));
  shmem_barrier_all();
  for (int i = 0; i < keys; ++i) {
    const int bin = key_of(me, i), pe = bin % pes;
    shmem_set_lock(&locks[pe]);
    shmem_long_p(&mine[bin / pes], shmem_long_g(&mine[bin / pes], pe) + 1, pe);
    shmem_clear_lock(&locks[pe]);
  }
  shfree(locks);
}

static void counted_at_home(long* mine) {
  long *counts = shmalloc(bins * sizeof(long)), *work = shmalloc((bins / 2 + 1 + 8) * sizeof(long));
  memset(counts, 0, bins * sizeof(long));
  for (int i = 0; i < keys; ++i) ++counts[key_of(me, i)];
  hindcast_compute_bytes(16.0 * keys); /* a count is read and written for each */
  shmem_long_sum_to_all(counts, counts, bins, 0, 0, pes, work, sync);
  for (int bin = me; bin < bins; bin += pes) mine[bin / pes] = counts[bin];
  shfree(work);
  shfree(counts);
}

static int is_right(const long* mine) {
  long* expected = calloc(bins, sizeof(long));
  for (int pe = 0; pe < pes; ++pe)
    for (int i = 0; i < keys; ++i) ++expected[key_of(pe, i)];
  int wrong = 0;
  for (int bin = me; bin < bins; bin += pes) wrong += mine[bin / pes] != expected[bin];
  free(expected);
  return wrong == 0;
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*count)(long* mine);
  } ways[] = {{"by increments", by_increments}, {"under locks", under_locks}, {"counted at home", counted_at_home}};
  static long wrong_pes;
  me = shmem_my_pe();
  pes = shmem_n_pes();
  keys = argc > 1 ? atoi(argv[1]) : 200;
  bins = argc > 2 ? atoi(argv[2]) : 256;
  for (int i = 0; i < _SHMEM_REDUCE_SYNC_SIZE; ++i) sync[i] = _SHMEM_SYNC_VALUE;
  long* mine = shmalloc((bins / pes + 1) * sizeof(long));
  for (int way = 0; way < 3; ++way) {
    memset(mine, 0, (bins / pes + 1) * sizeof(long));
    shmem_barrier_all();
    const double start = seconds();
    ways[way].count(mine);
    shmem_barrier_all();
    const double taken = seconds() - start;
    if (!is_right(mine)) shmem_long_inc(&wrong_pes, 0);
    shmem_barrier_all();
    if (me == 0)
      printf("%d keys on each of %d PEs, %d bins, %s: %s, %.1f us\n", keys, pes, bins, ways[way].name,
             wrong_pes == 0 ? "right" : "WRONG", taken * 1e6);
  }
  return 0;
}
