/* So many threads compute for so long each: when the last is done. */
#include "wrong.h"

#include <pthread.h>
#include <unistd.h>

#include "hindcast.h"

static void* computes(void* us) {
  hindcast_compute_seconds((double)(intptr_t)us * 1e-6);
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[100];
  const int count = argc > 1 ? atoi(argv[1]) : 1;
  const long us = argc > 2 ? atol(argv[2]) : 100;
  const long before = now_us();
  for (int i = 0; i < count; ++i) CHECK_IS(pthread_create(&threads[i], NULL, computes, (void*)(intptr_t)us), 0);
  for (int i = 0; i < count; ++i) pthread_join(threads[i], NULL);
  printf("%d threads on %ld processors: %ld us\n", count, sysconf(_SC_NPROCESSORS_ONLN), now_us() - before);
  return 0;
}
