/* Locks: one holder at a time, in the order of the calls, and who only tests one does not wait. */
#include <hindcast.h>

#include "check.h"

/* In an integer of Fortran's default kind. */
void shmem_int_set_lock(volatile int* lock);
void shmem_int_clear_lock(volatile int* lock);
int shmem_int_test_lock(volatile int* lock);

enum { turns = 5 };
static volatile long lock, other;
static volatile int small[3] = {-1, 0, -1};
static long counter, order[64], place, done;

int main(void) {
  const int me = shmem_my_pe(), n = shmem_n_pes();
  /* A sum by get and put, which only a lock makes right. */
  for (int i = 0; i < turns; ++i) {
    shmem_set_lock(&lock);
    shmem_long_p(&counter, shmem_long_g(&counter, 0) + me + 1, 0);
    shmem_clear_lock(&lock);
  }
  shmem_barrier_all();
  if (me == 0) CHECK_LONG(counter, turns * n * (n + 1) / 2);
  CHECK_LONG(lock, 0);

  /* All ask while the last PE has it, each some time after the one before: they get it in that order. */
  if (me == n - 1) shmem_set_lock(&lock);
  shmem_barrier_all();
  hindcast_compute_seconds(20e-6 * (n - me));
  if (me == n - 1) {
    hindcast_compute_seconds(20e-6 * n);
    CHECK_LONG(shmem_long_g(&place, 0), 0);
    shmem_clear_lock(&lock);
  } else {
    shmem_set_lock(&lock);
    const long mine = shmem_long_finc(&place, 0);
    shmem_long_p(&order[mine], me, 0);
    shmem_clear_lock(&lock);
  }
  shmem_barrier_all();
  for (int i = 0; me == 0 && i < n - 1; ++i) CHECK_LONG(order[i], n - 2 - i);

  /* test_lock gives 0 to exactly one PE, and does so again when that one has cleared it. */
  for (int i = 0; i < turns; ++i) {
    const int won = shmem_test_lock(&other) == 0;
    CHECK(shmem_test_lock(&other) == 1);
    if (won) shmem_long_inc(&done, 0);
    shmem_barrier_all();
    if (won) shmem_clear_lock(&other);
    shmem_barrier_all();
    if (me == 0) CHECK_LONG(done, i + 1);
    CHECK_LONG(other, 0);
  }
  /* Two locks at once, one of them on the heap. */
  long* third = shmalloc(sizeof *third);
  *third = 0;
  shmem_barrier_all();
  shmem_set_lock(third);
  shmem_set_lock(&lock);
  shmem_clear_lock(third);
  shmem_clear_lock(&lock);

  for (int i = 0; i < turns; ++i) {
    if (i % 2 == 0)
      shmem_int_set_lock(&small[1]);
    else
      while (shmem_int_test_lock(&small[1])) hindcast_compute_seconds(1e-6 * (me + 1));
    shmem_long_p(&counter, shmem_long_g(&counter, 0) + me + 1, 0);
    CHECK(shmem_int_test_lock(&small[1]) == 1);
    shmem_int_clear_lock(&small[1]);
  }
  shmem_barrier_all();
  if (me == 0) CHECK_LONG(counter, turns * n * (n + 1));
  CHECK(small[0] == -1 && small[1] == 0 && small[2] == -1);
  return finish();
}
