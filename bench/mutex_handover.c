// Two threads of a rank hand a mutex to and fro: who unlocks it locks it again at once, while the other waits for it.
//   mutex_handover ITERATIONS
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long iterations, handovers;
static int last;

static void* take(void* number) {
  const int own = (int)(long)number;
  for (long i = 0; i < iterations; ++i) {
    pthread_mutex_lock(&mutex);
    handovers += last != own;
    last = own;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[2];
  iterations = argc > 1 ? atol(argv[1]) : 1000;
  pthread_mutex_lock(&mutex);  // until both wait for it
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, take, (void*)(i + 1));
  sched_yield();
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  printf("mutex_handover: handed over %ld times\n", handovers);
  return handovers != 2 * iterations;
}
