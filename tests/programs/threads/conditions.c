/* Condition variables, with their time-outs, and a queue of a few places between threads. */
#include "wrong.h"

#include <pthread.h>

enum { places = 3, items = 200 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_room = PTHREAD_COND_INITIALIZER, has_items = PTHREAD_COND_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;
static int queue[places], filled, is_going, gone;

static void* produces(void* unused) {
  for (int i = 1; i <= items; ++i) {
    pthread_mutex_lock(&mutex);
    while (filled == places) CHECK_IS(pthread_cond_wait(&has_room, &mutex), 0);
    for (int j = filled++; j > 0; --j) queue[j] = queue[j - 1];
    queue[0] = i;
    pthread_cond_signal(&has_items);
    pthread_mutex_unlock(&mutex);
    if (i % 7 == 0) sleep_us(2);
  }
  return unused;
}

static void* consumes(void* sum) {
  for (int i = 1; i <= items; ++i) {
    pthread_mutex_lock(&mutex);
    while (filled == 0) CHECK_IS(pthread_cond_wait(&has_items, &mutex), 0);
    CHECK_IS(queue[filled - 1], i);
    *(long*)sum += queue[--filled];
    pthread_cond_signal(&has_room);
    pthread_mutex_unlock(&mutex);
    if (i % 5 == 0) sleep_us(3);
  }
  return NULL;
}

static void* waits_to_go(void* unused) {
  pthread_mutex_lock(&mutex);
  while (!is_going) pthread_cond_wait(&go, &mutex);
  ++gone;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* signals_late(void* condition) {
  sleep_us(20);
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(condition);
  sleep_us(20);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void time_outs(void) {
  pthread_cond_t condition;
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  CHECK_IS(pthread_cond_init(&condition, &attributes), 0);
  pthread_mutex_lock(&mutex);
  long before = now_us();
  struct timespec time = in_us(CLOCK_MONOTONIC, 30);
  CHECK_IS(pthread_cond_timedwait(&condition, &mutex, &time), ETIMEDOUT);
  CHECK_LASTED(now_us() - before, 30);
  time = in_us(CLOCK_REALTIME, 40);
  before = now_us();
  CHECK_IS(pthread_cond_clockwait(&condition, &mutex, CLOCK_REALTIME, &time), ETIMEDOUT);
  CHECK_LASTED(now_us() - before, 40);
  CHECK_IS(pthread_cond_clockwait(&condition, &mutex, CLOCK_PROCESS_CPUTIME_ID, &time), EINVAL);
  time.tv_nsec = 1000000000;
  CHECK_IS(pthread_cond_timedwait(&condition, &mutex, &time), EINVAL);
  /* Signalled in time, but the mutex comes after it: that is no time-out. */
  pthread_t other;
  pthread_create(&other, NULL, signals_late, &condition);
  before = now_us();
  time = in_us(CLOCK_MONOTONIC, 25);
  CHECK_IS(pthread_cond_timedwait(&condition, &mutex, &time), 0);
  CHECK_LASTED(now_us() - before, 40);
  pthread_mutex_unlock(&mutex);
  pthread_join(other, NULL);
  CHECK_IS(pthread_cond_destroy(&condition), 0);
}

int main(void) {
  pthread_t threads[10];
  long sum = 0;
  pthread_create(&threads[0], NULL, produces, NULL);
  pthread_create(&threads[1], NULL, consumes, &sum);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  CHECK_IS(sum, items * (items + 1) / 2);

  for (int i = 0; i < 10; ++i) pthread_create(&threads[i], NULL, waits_to_go, NULL);
  sleep_us(1);
  CHECK_IS(pthread_cond_destroy(&go), EBUSY);
  pthread_mutex_lock(&mutex);
  is_going = 1;
  pthread_cond_broadcast(&go);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 10; ++i) pthread_join(threads[i], NULL);
  CHECK_IS(gone, 10);
  time_outs();
  printf("right\n");
  return 0;
}
