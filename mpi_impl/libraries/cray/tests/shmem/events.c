/* Events: all who wait for one go on when it is set, also who comes later, until it is cleared. */
#include <hindcast.h>

#include "check.h"

static volatile long event, second;
static long data;

int main(void) {
  const int me = shmem_my_pe(), n = shmem_n_pes();
  for (long round = 1; round <= 3; ++round) {
    const int setter = (int)(round % n);
    CHECK_LONG(shmem_test_event(&event), 0);
    shmem_barrier_all();
    if (me == setter) {
      hindcast_compute_seconds(30e-6);
      for (int pe = 0; pe < n; ++pe) shmem_long_p(&data, round, pe);
      shmem_quiet();
      shmem_set_event(&event);
      shmem_set_event(&event); /* it is set, and stays so */
    } else {
      hindcast_compute_seconds(1e-6 * (me % 7 == 6 ? 100 : me)); /* some come when it is set */
      shmem_wait_event(&event);
      CHECK_LONG(data, round);
    }
    shmem_wait_event(&event);
    CHECK_LONG(shmem_test_event(&event), 1);
    CHECK_LONG(shmem_test_event(&second), 0);
    shmem_barrier_all();
    if (me == 0) shmem_clear_event(&event);
    if (me == 0) shmem_clear_event(&event); /* it is clear, and stays so */
    shmem_barrier_all();
    CHECK_LONG(event, 0);
  }
  return finish();
}
