/* C11's threads. */
#include <threads.h>

#include "wrong.h"

static mtx_t mutex;
static cnd_t condition;
static tss_t key;
static once_flag flag = ONCE_FLAG_INIT;
static int onces, is_ready, destroyed;
static thread_local int own = 4;

static void only_once(void) { ++onces; }
static void destroy(void* value) { destroyed += *(int*)value; }

static int waits(void* number) {
  CHECK_IS(own, 4);
  own = *(int*)number;
  call_once(&flag, only_once);
  tss_set(key, number);
  mtx_lock(&mutex);
  while (!is_ready) CHECK_IS(cnd_wait(&condition, &mutex), thrd_success);
  mtx_unlock(&mutex);
  CHECK(tss_get(key) == number);
  if (own == 2) thrd_exit(-5);
  return 10 * own;
}

int main(void) {
  thrd_t threads[3];
  int numbers[3] = {0, 1, 2}, result;
  CHECK_IS(mtx_init(&mutex, mtx_timed | mtx_recursive), thrd_success);
  cnd_init(&condition);
  tss_create(&key, destroy);
  for (int i = 0; i < 3; ++i) CHECK_IS(thrd_create(&threads[i], waits, &numbers[i]), thrd_success);
  thrd_sleep(&(struct timespec){.tv_nsec = 1000}, NULL);
  CHECK_IS(mtx_lock(&mutex), thrd_success);
  CHECK_IS(mtx_trylock(&mutex), thrd_success);
  mtx_unlock(&mutex);
  struct timespec soon = in_us(CLOCK_REALTIME, 5);
  CHECK_IS(cnd_timedwait(&condition, &mutex, &soon), thrd_timedout);
  is_ready = 1;
  cnd_broadcast(&condition);
  mtx_unlock(&mutex);
  for (int i = 0; i < 3; ++i) {
    CHECK_IS(thrd_join(threads[i], &result), thrd_success);
    CHECK_IS(result, i == 2 ? -5 : 10 * i);
  }
  CHECK_IS(onces, 1);
  CHECK_IS(destroyed, 3);
  CHECK(thrd_equal(thrd_current(), thrd_current()));
  thrd_yield();
  mtx_destroy(&mutex);
  cnd_destroy(&condition);
  tss_delete(key);
  printf("right\n");
  return 0;
}
