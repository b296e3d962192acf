/* Data and then a flag: who sees the flag sees the data, after a fence or a quiet, whatever the sizes. */
#include "check.h"

enum { rounds = 12, longest = 4000 };
static long data[longest], flag, seen;

int main(void) {
  const int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
  static long source[longest];
  for (long round = 1; round <= rounds; ++round) {
    const int length = 1 + (int)(round * 397 % longest);
    for (int i = 0; i < length; ++i) source[i] = round * 1000 + me + i;
    shmem_put64(data, source, length, next);
    round % 2 ? shmem_fence() : shmem_quiet();
    shmem_long_p(&flag, round, next);
    shmem_wait_until(&flag, _SHMEM_CMP_GE, round);
    for (int i = 0; i < length; ++i) CHECK_LONG(data[i], round * 1000 + before + i);
    shmem_long_p(&seen, round, before); /* it may overwrite it now */
    shmem_wait_until(&seen, _SHMEM_CMP_GE, round);
  }
  /* After a quiet what was put is there for whoever looks, told by others than who has put it. */
  static long box, told;
  if (me == 0) {
    shmem_long_p(&box, 77, n - 1);
    shmem_quiet();
    shmem_long_p(&told, 1, n / 2);
  }
  if (me == n / 2) {
    shmem_wait(&told, 0);
    CHECK_LONG(shmem_long_g(&box, n - 1), 77);
  }
  shmem_barrier_all();
  return finish();
}
