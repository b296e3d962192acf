/* Nobody leaves a barrier before all have come, and what they had put is there then: of all PEs, and of every active
 * set, several times one after the other with the same pSync. */
#include <hindcast.h>

#include "check.h"

enum { rounds = 3, pes_max = 64 };
static long come[pes_max]; /* the last round that each PE has told this one of */

static void tell_all(active_set set, long round) {
  for (int member = 0; member < set.size; ++member) shmem_long_p(&come[shmem_my_pe()], round, pe_of(set, member));
}

static void check_all(active_set set, long round) {
  for (int member = 0; member < set.size; ++member) CHECK(come[pe_of(set, member)] >= round);
}

int main(void) {
  static sync_words sync;
  const int me = shmem_my_pe(), n = shmem_n_pes();
  start_sync(sync, 1);
  const active_set all = {0, 0, n, me};
  long round = 0;
  for (int i = 0; i < rounds; ++i) {
    hindcast_compute_seconds(1e-6 * ((me * 7 + i) % 5)); /* so that each is the last once */
    tell_all(all, ++round);
    shmem_barrier_all();
    check_all(all, round);
  }
  for (active_set set = {0, 0, 0, -1}; next_set(&set);) {
    for (int i = 0; i < rounds; ++i) {
      ++round;
      if (set.me < 0) continue;
      hindcast_compute_seconds(1e-6 * ((me * 7 + i) % 5));
      tell_all(set, round);
      shmem_barrier(set.start, set.log_stride, set.size, sync);
      check_all(set, round);
    }
    /* Another active set may use the pSync only when all are out of it. */
    shmem_barrier_all();
    CHECK(all_unsent(sync, 1));
  }
  return finish();
}
