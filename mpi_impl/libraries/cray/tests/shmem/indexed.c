/* Scattered to and gathered from another PE's memory. */
#include "check.h"

enum { count = 50, room = 200 };
static long longs[room];
static int ints[room];

int main(void) {
  const int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
  long index[count], source[count], back[count];
  int index32[count], source32[count], back32[count];
  for (int i = 0; i < count; ++i) {
    index[i] = index32[i] = i * 37 % room; /* each place once, in no order */
    source[i] = source32[i] = 1 + me * 1000 + i;
  }
  for (int form = 0; form < 2; ++form) {
    for (int i = 0; i < room; ++i) longs[i] = ints[i] = 0;
    shmem_barrier_all();
    (form == 0 ? shmem_ixput : shmem_ixput64)(longs, source, index, count, next);
    shmem_ixput32(ints, source32, index32, count, next);
    shmem_barrier_all();
    int found = 0;
    for (int i = 0; i < count; ++i) {
      CHECK_LONG(longs[index[i]], 1 + before * 1000 + i);
      CHECK_LONG(ints[index[i]], 1 + before * 1000 + i);
    }
    for (int i = 0; i < room; ++i) found += (longs[i] != 0) + (ints[i] != 0);
    CHECK_LONG(found, 2 * count);
    (form == 0 ? shmem_ixget : shmem_ixget64)(back, longs, index, count, next);
    shmem_ixget32(back32, ints, index32, count, next);
    for (int i = 0; i < count; ++i) {
      CHECK_LONG(back[i], source[i]);
      CHECK_LONG(back32[i], source32[i]);
    }
    shmem_barrier_all();
  }
  /* Of no elements, and the same place several times in a get. */
  shmem_ixput(longs, source, index, 0, next);
  for (int i = 0; i < count; ++i) index[i] = 37;
  shmem_ixget(back, longs, index, count, next);
  for (int i = 0; i < count; ++i) CHECK_LONG(back[i], 1 + me * 1000 + 1);
  return finish();
}
