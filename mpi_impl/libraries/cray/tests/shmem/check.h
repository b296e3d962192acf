/* For SHMEM programs that test themselves: what must hold, active sets to try, and the line that says that all did. */
#ifndef HINDCAST_TESTS_SHMEM_CHECK_H
#define HINDCAST_TESTS_SHMEM_CHECK_H

#include <mpp/shmem.h>
#include <stdio.h>
#include <stdlib.h>

#define UNUSED __attribute__((unused)) /* not every program uses all of them */

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: PE %d: wrong: %s\n", __FILE__, __LINE__, shmem_my_pe(), #condition); \
      exit(99);                                                                                    \
    }                                                                                              \
  } while (0)

#define CHECK_LONG(actual, expected)                                                                             \
  do {                                                                                                           \
    const long check_a = (long)(actual), check_e = (long)(expected);                                             \
    if (check_a != check_e) {                                                                                    \
      fprintf(stderr, "%s:%d: PE %d: %s is %ld, not %ld\n", __FILE__, __LINE__, shmem_my_pe(), #actual, check_a, \
              check_e);                                                                                          \
      exit(99);                                                                                                  \
    }                                                                                                            \
  } while (0)

/* A pSync array of any use, long enough for all of them. */
#define SYNC_WORDS 36
typedef long sync_words[SYNC_WORDS];

UNUSED static void start_sync(long* words, int arrays) {
  for (int i = 0; i < arrays * SYNC_WORDS; ++i) words[i] = _SHMEM_SYNC_VALUE;
  shmem_barrier_all();
}

UNUSED static int all_unsent(const long* words, int arrays) {
  for (int i = 0; i < arrays * SYNC_WORDS; ++i)
    if (words[i] != _SHMEM_SYNC_VALUE) return 0;
  return 1;
}

/* An active set, and the caller's number in it, or -1. */
typedef struct {
  int start, log_stride, size, me;
} active_set;

UNUSED static int pe_of(active_set set, int member) { return set.start + (member << set.log_stride); }

/* The next active set after this one, of all that there are, or of some if there are many PEs; 0 at the end. The first
 * is the one after {0, 0, 0}. */
UNUSED static int next_set(active_set* set) {
  const int n = shmem_n_pes(), step = n <= 9 ? 1 : n / 3;
  do {
    set->size += set->size == 0 || step == 1 ? 1 : step;
    if (set->start + ((long)(set->size - 1) << set->log_stride) >= n) {
      set->size = 1;
      set->start += step;
      if (set->start >= n) {
        set->start = 0;
        if (1 << ++set->log_stride > n) return 0;
      }
    }
  } while (set->start + ((long)(set->size - 1) << set->log_stride) >= n);
  set->me = -1;
  for (int member = 0; member < set->size; ++member)
    if (pe_of(*set, member) == shmem_my_pe()) set->me = member;
  return 1;
}

/* The last thing that a program does. The time is not checked, but must be the same however the run is made. */
#include <sys/time.h>
UNUSED static int finish(void) {
  struct timeval now;
  gettimeofday(&now, 0);
  printf("PE %d has come to %ld.%06ld s\n", shmem_my_pe(), (long)now.tv_sec, (long)now.tv_usec);
  shmem_barrier_all();
  if (shmem_my_pe() == 0) printf("ok\n");
  return 0;
}

#endif
