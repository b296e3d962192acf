/* Two pSync arrays by turns, with no barrier between the calls: nobody comes back from a call before all have finished
 * the one before it. */
#include <hindcast.h>

#include "check.h"

enum { calls = 12, many = 60, members_max = 64 };
static sync_words sync[2];
static long finished, source[many], target[calls][many * members_max];
static long work[2][many];

enum { broadcast, collect, fcollect, sum_of_few, sum_of_many, sum_of_none, kinds };

static void call(int kind, active_set set, int i) {
  long *sync_now = sync[i % 2], *to = target[i];
  const int start = set.start, log_stride = set.log_stride, size = set.size;
  switch (kind) {
    case broadcast:
      shmem_broadcast64(to, source, 2, i % size, start, log_stride, size, sync_now);
      if (set.me != i % size) CHECK_LONG(to[1], pe_of(set, i % size));
      break;
    case collect:
      shmem_collect64(to, source, 2, start, log_stride, size, sync_now);
      CHECK_LONG(to[2 * size - 1], pe_of(set, size - 1));
      break;
    case fcollect:
      shmem_fcollect64(to, source, 2, start, log_stride, size, sync_now);
      CHECK_LONG(to[2 * size - 1], pe_of(set, size - 1));
      break;
    default: {
      const int count = kind == sum_of_few ? 1 : kind == sum_of_many ? many : 0;
      shmem_long_max_to_all(to, source, count, start, log_stride, size, work[i % 2], sync_now);
      if (count > 0) CHECK_LONG(to[count - 1], pe_of(set, size - 1));
    }
  }
}

int main(void) {
  const int me = shmem_my_pe();
  for (int i = 0; i < many; ++i) source[i] = me;
  start_sync(sync[0], 2);
  for (int kind = 0; kind < kinds; ++kind)
    for (active_set set = {0, 0, 0, -1}; next_set(&set);) {
      shmem_barrier_all(); /* nobody looks any more */
      finished = -1;
      shmem_barrier_all();
      if (set.me < 0) continue;
      for (int i = 0; i < calls; ++i) {
        /* Another one is late each time. */
        if ((i * 5 + 3) % set.size == set.me) hindcast_compute_seconds(300e-6);
        call(kind, set, i);
        for (int member = 0; member < set.size; member += 1 + set.size / 4)
          CHECK(shmem_long_g(&finished, pe_of(set, member)) >= i - 1);
        finished = i;
      }
    }
  shmem_barrier_all();
  CHECK(all_unsent(sync[0], 2));
  return finish();
}
