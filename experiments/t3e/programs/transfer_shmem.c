// The time of one transfer by SHMEM: PE 0 puts so many bytes to the last PE and waits until they are written, or gets
// them from there. Mean of 10, after one that is not counted.
//   transfer_shmem BYTES put|get
#include <mpp/shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

enum { ROUNDS = 10, MOST = 128 * 1024 };

static char here[MOST], there[MOST];

static void transfer(int is_put, int bytes, int pe) {
  if (!is_put) {
    shmem_getmem(here, there, bytes, pe);
    return;
  }
  shmem_putmem(there, here, bytes, pe);
  shmem_quiet();
}

int main(int argc, char** argv) {
  start_pes(0);
  const int bytes = argc > 1 ? atoi(argv[1]) : 8, is_put = argc <= 2 || strcmp(argv[2], "put") == 0;
  const int pe = shmem_my_pe(), last = shmem_n_pes() - 1;
  if (bytes > MOST) return 1;
  memset(is_put && pe == 0 ? here : there, pe + 1, bytes);
  shmem_barrier_all();
  if (pe == 0) {
    transfer(is_put, bytes, last);
    const double start = now_us();
    for (int round = 0; round < ROUNDS; ++round) transfer(is_put, bytes, last);
    printf("bytes,time_us\n%d,%.6f\n", bytes, (now_us() - start) / ROUNDS);
  }
  shmem_barrier_all();
  const char *moved = is_put ? there : here, expected = is_put ? 1 : (char)(last + 1);
  const int is_wrong = bytes > 0 && pe == (is_put ? last : 0) && (moved[0] != expected || moved[bytes - 1] != expected);
  if (is_wrong) fprintf(stderr, "PE %d: wrong data\n", pe);
  return is_wrong;
}
