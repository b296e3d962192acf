/* So many threads, several times over: each adds to what its rank counts. */
#include "wrong.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static __thread int own;
static long sum;

static void* adds(void* number) {
  own = (int)(intptr_t)number;
  pthread_barrier_wait(&barrier);
  pthread_mutex_lock(&mutex);
  sum += own;
  sleep_us(1);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 100;
  pthread_t* const threads = calloc((size_t)count, sizeof *threads);
  pthread_barrier_init(&barrier, NULL, (unsigned)count);
  for (int round = 0; round < 3; ++round) {
    sum = 0;
    for (intptr_t i = 0; i < count; ++i) CHECK_IS(pthread_create(&threads[i], NULL, adds, (void*)i), 0);
    for (int i = 0; i < count; ++i) CHECK_IS(pthread_join(threads[i], NULL), 0);
    CHECK_IS(sum, (long)count * (count - 1) / 2);
  }
  printf("right at %ld us\n", now_us());
  return 0;
}
