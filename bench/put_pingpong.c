// Two PEs put a word to and fro, each waiting for the other's.   put_pingpong ITERATIONS [BYTES]
#include <mpp/shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long ball[8192];

int main(int argc, char** argv) {
  start_pes(0);
  const int me = shmem_my_pe(), other = 1 - me;
  const long iterations = argc > 1 ? atol(argv[1]) : 1000;
  const size_t words = argc > 2 ? (size_t)atoi(argv[2]) / sizeof(long) : 1;
  if (shmem_n_pes() != 2 || words < 1 || words > sizeof ball / sizeof *ball) return 1;
  long own[8192] = {0};

  // The last word is the one that is waited for: it comes last.
  for (long i = 1; i <= iterations; ++i) {
    own[words - 1] = i;
    if (me == 0) shmem_put64(ball, own, words, other);
    shmem_wait(&ball[words - 1], i - 1);
    if (me == 1) shmem_put64(ball, own, words, other);
  }

  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (me == 0)
    printf("put_pingpong: %ld puts, over at %ld.%09ld simulated seconds\n", 2 * iterations, (long)now.tv_sec,
           now.tv_nsec);
  return 0;
}
