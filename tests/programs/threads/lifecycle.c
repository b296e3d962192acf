/* Threads are created, joined and detached, and each has its own of what it should. */
#include "wrong.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static __thread int own = 7;
static __thread char zeros[5000];
static int steps;

static void* gives_back(void* argument) {
  CHECK_IS(own, 7);
  CHECK_IS(zeros[4999], 0);
  CHECK_IS(errno, 0);
  own = (int)(intptr_t)argument;
  zeros[4999] = 1;
  errno = own;
  sleep_us(10);
  CHECK_IS(own, (intptr_t)argument);
  CHECK_IS(errno, own);
  return argument;
}

static void* leaves_early(void* argument) {
  if (argument != NULL) pthread_exit(argument);
  return NULL;
}

static void* counts(void* unused) {
  ++steps;
  return unused;
}

/* Has its own variable and takes a lock, also after it has slept. */
static void* sleeps(void* us) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  CHECK_IS(own, 7);
  own = (int)(intptr_t)us;
  sleep_us(own);
  CHECK_IS(own, (intptr_t)us);
  CHECK_IS(pthread_mutex_lock(&lock), 0);
  CHECK_IS(pthread_mutex_unlock(&lock), 0);
  return NULL;
}

static void* uses_stack(void* size) {
  volatile char much[3 * 1024 * 1024];
  much[0] = 1;
  CHECK_IS(much[0], 1);
  pthread_attr_t attributes;
  size_t bytes;
  void* stack;
  CHECK_IS(pthread_getattr_np(pthread_self(), &attributes), 0);
  pthread_attr_getstack(&attributes, &stack, &bytes);
  CHECK_IS(bytes, (intptr_t)size);
  CHECK((char*)&attributes > (char*)stack && (char*)&attributes < (char*)stack + bytes);
  return NULL;
}

int main(void) {
  pthread_t threads[10];
  void* result;
  errno = 3;
  for (intptr_t i = 0; i < 10; ++i) CHECK_IS(pthread_create(&threads[i], NULL, gives_back, (void*)(i + 100)), 0);
  for (intptr_t i = 0; i < 10; ++i) {
    CHECK_IS(pthread_join(threads[i], &result), 0);
    CHECK_IS((intptr_t)result, i + 100);
  }
  CHECK_IS(own, 7);
  CHECK_IS(errno, 3);
  CHECK_IS(pthread_join(threads[0], NULL), ESRCH);
  CHECK_IS(pthread_join(pthread_self(), NULL), EDEADLK);

  CHECK_IS(pthread_create(&threads[0], NULL, leaves_early, &steps), 0);
  CHECK_IS(pthread_join(threads[0], &result), 0);
  CHECK(result == &steps);
  CHECK(!pthread_equal(threads[0], pthread_self()) && pthread_equal(pthread_self(), pthread_self()));

  pthread_attr_t attributes;
  int state;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  CHECK_IS(pthread_create(&threads[0], &attributes, counts, NULL), 0);
  CHECK_IS(pthread_join(threads[0], NULL), EINVAL);
  sleep_us(1);
  CHECK_IS(steps, 1);
  CHECK_IS(pthread_detach(threads[0]), ESRCH);
  CHECK_IS(pthread_create(&threads[0], NULL, counts, NULL), 0);
  CHECK_IS(pthread_detach(threads[0]), 0);
  CHECK_IS(pthread_detach(threads[0]), EINVAL);
  sleep_us(1);
  CHECK_IS(steps, 2);
  pthread_attr_getdetachstate(&attributes, &state);
  CHECK_IS(state, PTHREAD_CREATE_DETACHED);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE);
  pthread_attr_setstacksize(&attributes, 4 * 1024 * 1024);
  CHECK_IS(pthread_create(&threads[0], &attributes, uses_stack, (void*)(4L * 1024 * 1024)), 0);
  CHECK_IS(pthread_join(threads[0], NULL), 0);
  void* const memory = malloc(6 * 1024 * 1024);
  pthread_attr_setstack(&attributes, memory, 6 * 1024 * 1024);
  CHECK_IS(pthread_create(&threads[0], &attributes, uses_stack, (void*)(6L * 1024 * 1024)), 0);
  CHECK_IS(pthread_join(threads[0], NULL), 0);

  /* One that begins when the first of several has ended is none of those that go on. */
  for (intptr_t i = 0; i < 3; ++i) CHECK_IS(pthread_create(&threads[i], NULL, sleeps, (void*)(10 + 90 * i)), 0);
  CHECK_IS(pthread_join(threads[0], NULL), 0);
  CHECK_IS(pthread_create(&threads[0], NULL, sleeps, (void*)20), 0);
  for (int i = 0; i < 3; ++i) CHECK_IS(pthread_join(threads[i], NULL), 0);

  struct timespec soon = in_us(CLOCK_REALTIME, 4);
  CHECK_IS(pthread_create(&threads[0], NULL, gives_back, NULL), 0);
  CHECK_IS(pthread_tryjoin_np(threads[0], &result), EBUSY);
  CHECK_IS(pthread_timedjoin_np(threads[0], &result, &soon), ETIMEDOUT);
  CHECK_IS(pthread_join(threads[0], &result), 0);

  char name[16];
  CHECK_IS(pthread_setname_np(pthread_self(), "conductor"), 0);
  CHECK_IS(pthread_getname_np(pthread_self(), name, sizeof name), 0);
  CHECK_IS(strcmp(name, "conductor"), 0);
  CHECK_IS(pthread_kill(pthread_self(), 0), 0);
  CHECK_IS(pthread_kill(threads[0], 0), ESRCH);
  printf("right\n");
  return 0;
}
