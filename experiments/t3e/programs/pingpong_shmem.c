// The same by puts: a PE puts so many bytes, the last word of which tells the other one that they are there.
//   pingpong_shmem BYTES
#include <mpp/shmem.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

enum { ROUNDS = 10, WORDS = 16 * 1024 };

static long here[WORDS], there[WORDS];

static void put(int words, long round, int pe) {
  here[words - 1] = round;
  shmem_put64(there, here, words, pe);
}

int main(int argc, char** argv) {
  start_pes(0);
  const int bytes = argc > 1 ? atoi(argv[1]) : 8, words = bytes < 8 ? 1 : bytes / 8;
  const int pe = shmem_my_pe(), last = shmem_n_pes() - 1;
  double start = 0;
  if (words > WORDS) return 1;
  shmem_barrier_all();
  for (long round = 1; round <= ROUNDS + 1; ++round) {
    if (round == 2) start = now_us();
    if (pe == 0) put(words, round, last);
    if (pe == 0 || pe == last) shmem_wait_until(&there[words - 1], _SHMEM_CMP_EQ, round);
    if (pe == last) put(words, round, 0);
  }
  if (pe == 0) printf("bytes,partner,time_us\n%d,%d,%.6f\n", bytes, last, (now_us() - start) / (2 * ROUNDS));
  shmem_barrier_all();
  return 0;
}
