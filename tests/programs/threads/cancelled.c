/* Threads are cancelled where they wait, and nowhere else unless they want it; their handlers are run. */
#include "wrong.h"

#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "hindcast.h"

static int handled[8], handlers;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int has_gone_on;
static pthread_key_t key;
static int destroyed;

static void handle(void* number) { handled[handlers++] = (int)(intptr_t)number; }
static void unlock(void* held) {
  CHECK_IS(pthread_mutex_unlock(held), 0);
  handle((void*)9);
}
static void destroy(void* unused) {
  (void)unused;
  ++destroyed;
}

static void* in_sleep(void* unused) {
  pthread_cleanup_push(handle, (void*)1);
  pthread_cleanup_push(handle, (void*)2);
  pthread_cleanup_push(handle, (void*)3);
  pthread_cleanup_pop(0);
  sleep(1000);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return unused;
}
static void* in_condition(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_setspecific(key, &key);
  pthread_cleanup_push(unlock, &mutex);
  for (;;) pthread_cond_wait(&condition, &mutex);
  pthread_cleanup_pop(1);
  return unused;
}
static void* in_semaphore(void* unused) {
  sem_wait(&semaphore);
  return unused;
}
static void* in_join(void* other) {
  pthread_join(*(pthread_t*)other, NULL);
  return NULL;
}
static void* not_in_mutex(void* unused) {
  pthread_mutex_lock(&mutex);
  has_gone_on = 1;
  pthread_mutex_unlock(&mutex);
  pthread_testcancel();
  has_gone_on = 2;
  return unused;
}
static void* when_enabled(void* unused) {
  int before;
  CHECK_IS(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before), 0);
  CHECK_IS(before, PTHREAD_CANCEL_ENABLE);
  sleep_us(50);
  has_gone_on = 3;
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
  has_gone_on = 4;
  sleep_us(1);
  has_gone_on = 5;
  return unused;
}
static void* at_once(void* unused) {
  CHECK_IS(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL), 0);
  for (;;) hindcast_compute_seconds(1e-6);
  return unused;
}
static void* leaves_by_itself(void* unused) {
  pthread_cleanup_push(handle, (void*)7);
  pthread_exit(&handlers);
  pthread_cleanup_pop(0);
  return unused;
}
static void* cancels_itself(void* unused) {
  pthread_cancel(pthread_self());
  pthread_testcancel();
  return unused;
}

static void cancel(void* (*function)(void*), void* argument) {
  pthread_t thread;
  void* result;
  handlers = 0;
  CHECK_IS(pthread_create(&thread, NULL, function, argument), 0);
  sleep_us(10);
  CHECK_IS(pthread_cancel(thread), 0);
  CHECK_IS(pthread_join(thread, &result), 0);
  CHECK(result == PTHREAD_CANCELED);
  CHECK_IS(pthread_cancel(thread), ESRCH);
}

int main(void) {
  pthread_t thread;
  void* result;
  pthread_key_create(&key, destroy);
  sem_init(&semaphore, 0, 0);
  const long before = now_us();
  cancel(in_sleep, NULL);
  CHECK_LASTED(now_us() - before, 10);
  CHECK(handlers == 2 && handled[0] == 2 && handled[1] == 1);
  cancel(in_condition, NULL);
  CHECK(handlers == 1 && handled[0] == 9);
  CHECK_IS(destroyed, 1);
  CHECK_IS(pthread_mutex_trylock(&mutex), 0);
  pthread_mutex_unlock(&mutex);
  cancel(in_semaphore, NULL);
  pthread_create(&thread, NULL, in_semaphore, NULL);
  cancel(in_join, &thread);
  sem_post(&semaphore);
  CHECK_IS(pthread_join(thread, NULL), 0);

  pthread_mutex_lock(&mutex);
  pthread_create(&thread, NULL, not_in_mutex, NULL);
  sleep_us(10);
  pthread_cancel(thread);
  sleep_us(10);
  CHECK_IS(has_gone_on, 0);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, &result);
  CHECK(has_gone_on == 1 && result == PTHREAD_CANCELED);
  cancel(when_enabled, NULL);
  CHECK_IS(has_gone_on, 4);
  cancel(at_once, NULL);

  handlers = 0;
  pthread_create(&thread, NULL, leaves_by_itself, NULL);
  pthread_join(thread, &result);
  CHECK(handlers == 1 && handled[0] == 7 && result == &handlers);
  pthread_create(&thread, NULL, cancels_itself, NULL);
  pthread_join(thread, &result);
  CHECK(result == PTHREAD_CANCELED);
  printf("right\n");
  return 0;
}
