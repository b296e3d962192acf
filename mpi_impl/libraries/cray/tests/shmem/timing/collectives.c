/* What each call takes on the PE that is longest in it, in microseconds. */
#include <mpp/shmem.h>
#include <stdio.h>
#include <time.h>

static long sync[36], source[5000], target[64 * 1000], work[5000];
static double taken[64];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static void tell(const char* name, double mine) {
  double longest = 0;
  shmem_double_p(&taken[shmem_my_pe()], mine, 0);
  shmem_barrier_all();
  for (int pe = 0; pe < shmem_n_pes(); ++pe) longest = taken[pe] > longest ? taken[pe] : longest;
  if (shmem_my_pe() == 0) printf("%s %.3f\n", name, longest);
}

#define TIME(name, call)        \
  do {                          \
    shmem_barrier_all();        \
    const double start = now(); \
    call;                       \
    tell(name, now() - start);  \
  } while (0)

int main(void) {
  const int me = shmem_my_pe(), n = shmem_n_pes();
  for (int i = 0; i < 36; ++i) sync[i] = _SHMEM_SYNC_VALUE;
  TIME("nothing", (void)0);
  TIME("put", shmem_long_p(target, 1, (me + 1) % n));
  TIME("barrier_of_all", shmem_barrier_all());
  TIME("barrier", shmem_barrier(0, 0, n, sync));
  TIME("barrier_of_others", if (me < n - 1) shmem_barrier(0, 0, n - 1, sync));
  TIME("broadcast", shmem_broadcast64(target, source, 1, 0, 0, 0, n, sync));
  TIME("broadcast_many", shmem_broadcast64(target, source, 5000, 0, 0, 0, n, sync));
  TIME("fcollect", shmem_fcollect64(target, source, 1, 0, 0, n, sync));
  TIME("collect", shmem_collect64(target, source, 1, 0, 0, n, sync));
  TIME("sum", shmem_long_sum_to_all(target, source, 1, 0, 0, n, work, sync));
  TIME("sum_many", shmem_long_sum_to_all(target, source, 5000, 0, 0, n, work, sync));
  return 0;
}
