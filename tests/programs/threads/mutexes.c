/* Mutexes of every kind. */
#include "wrong.h"

#include <pthread.h>

static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static int order[8], served;

static pthread_mutex_t of_kind(int kind, int robust) {
  pthread_mutex_t mutex;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  CHECK_IS(pthread_mutexattr_settype(&attributes, kind), 0);
  CHECK_IS(pthread_mutexattr_setrobust(&attributes, robust), 0);
  CHECK_IS(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT), 0);
  CHECK_IS(pthread_mutex_init(&mutex, &attributes), 0);
  pthread_mutexattr_destroy(&attributes);
  return mutex;
}

static void* counts(void* unused) {
  for (int i = 0; i < 100; ++i) {
    pthread_mutex_lock(&shared);
    const int before = counter;
    if (i % 10 == 0) sleep_us(1);
    counter = before + 1;
    pthread_mutex_unlock(&shared);
  }
  return unused;
}

static void* is_served(void* number) {
  pthread_mutex_lock(&shared);
  order[served++] = (int)(intptr_t)number;
  pthread_mutex_unlock(&shared);
  return NULL;
}

static void* tries(void* mutex) {
  struct timespec soon = in_us(CLOCK_REALTIME, 50);
  const long before = now_us();
  CHECK_IS(pthread_mutex_trylock(mutex), EBUSY);
  CHECK_IS(pthread_mutex_timedlock(mutex, &soon), ETIMEDOUT);
  CHECK_LASTED(now_us() - before, 50);
  CHECK_IS(pthread_mutex_timedlock(mutex, &soon), ETIMEDOUT);
  soon = in_us(CLOCK_MONOTONIC, 100);
  CHECK_IS(pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &soon), 0);
  CHECK_LASTED(now_us() - before, 90);
  CHECK_IS(pthread_mutex_unlock(mutex), 0);
  soon.tv_nsec = -1;
  return NULL;
}

static void* may_not_unlock(void* mutex) {
  CHECK_IS(pthread_mutex_unlock(mutex), EPERM);
  return NULL;
}

static void* dies_with(void* mutex) {
  CHECK_IS(pthread_mutex_lock(mutex), 0);
  sleep_us(3);
  return NULL;
}

static void in_thread(void* (*function)(void*), void* argument) {
  pthread_t thread;
  CHECK_IS(pthread_create(&thread, NULL, function, argument), 0);
  CHECK_IS(pthread_join(thread, NULL), 0);
}

int main(void) {
  pthread_t threads[8];
  for (int i = 0; i < 8; ++i) pthread_create(&threads[i], NULL, counts, NULL);
  for (int i = 0; i < 8; ++i) pthread_join(threads[i], NULL);
  CHECK_IS(counter, 800);

  pthread_mutex_lock(&shared);
  for (intptr_t i = 0; i < 8; ++i) pthread_create(&threads[i], NULL, is_served, (void*)i);
  sleep_us(1);
  CHECK_IS(pthread_mutex_destroy(&shared), EBUSY);
  pthread_mutex_unlock(&shared);
  for (int i = 0; i < 8; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < 8; ++i) CHECK_IS(order[i], i);

  pthread_mutex_t normal = of_kind(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
  pthread_mutex_lock(&normal);
  pthread_t other;
  pthread_create(&other, NULL, tries, &normal);
  sleep_us(90);
  pthread_mutex_unlock(&normal);
  pthread_join(other, NULL);

  pthread_mutex_t recursive = of_kind(PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED);
  for (int i = 0; i < 3; ++i) CHECK_IS(pthread_mutex_lock(&recursive), 0);
  CHECK_IS(pthread_mutex_trylock(&recursive), 0);
  in_thread(may_not_unlock, &recursive);
  for (int i = 0; i < 4; ++i) CHECK_IS(pthread_mutex_unlock(&recursive), 0);
  CHECK_IS(pthread_mutex_unlock(&recursive), EPERM);
  pthread_mutex_t at_once = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  CHECK_IS(pthread_mutex_lock(&at_once), 0);
  CHECK_IS(pthread_mutex_lock(&at_once), 0);

  pthread_mutex_t checked = of_kind(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
  CHECK_IS(pthread_mutex_unlock(&checked), EPERM);
  CHECK_IS(pthread_mutex_lock(&checked), 0);
  CHECK_IS(pthread_mutex_lock(&checked), EDEADLK);
  in_thread(may_not_unlock, &checked);
  CHECK_IS(pthread_mutex_unlock(&checked), 0);

  pthread_mutex_t robust = of_kind(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
  in_thread(dies_with, &robust);
  CHECK_IS(pthread_mutex_consistent(&robust), 0);
  robust = of_kind(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
  pthread_create(&other, NULL, dies_with, &robust);
  sleep_us(1);
  CHECK_IS(pthread_mutex_lock(&robust), EOWNERDEAD);
  CHECK_IS(pthread_mutex_consistent(&robust), 0);
  CHECK_IS(pthread_mutex_unlock(&robust), 0);
  pthread_join(other, NULL);
  in_thread(dies_with, &robust);
  CHECK_IS(pthread_mutex_lock(&robust), EOWNERDEAD);
  CHECK_IS(pthread_mutex_unlock(&robust), 0);
  CHECK_IS(pthread_mutex_lock(&robust), ENOTRECOVERABLE);
  CHECK_IS(pthread_mutex_consistent(&robust), EINVAL);
  printf("right\n");
  return 0;
}
