/* Barriers, semaphores, read-write and spin locks, what is done once, and keys. */
#include "wrong.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

enum { count = 5 };

static pthread_barrier_t barrier;
static int round_of[count], serial;
static sem_t semaphore;
static int in_region, most_in_region;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int readers, most_readers, writes;
static pthread_spinlock_t spin;
static int spins;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int onces;
static pthread_key_t key, second_key;
static int destroyed, destroyed_again;

static void run(void* (*function)(void*)) {
  pthread_t threads[count];
  for (intptr_t i = 0; i < count; ++i) CHECK_IS(pthread_create(&threads[i], NULL, function, (void*)i), 0);
  for (int i = 0; i < count; ++i) CHECK_IS(pthread_join(threads[i], NULL), 0);
}

static void* in_rounds(void* number) {
  const int own = (int)(intptr_t)number;
  for (int i = 1; i <= 4; ++i) {
    sleep_us(own * i);
    round_of[own] = i;
    const int result = pthread_barrier_wait(&barrier);
    if (result == PTHREAD_BARRIER_SERIAL_THREAD) ++serial;
    for (int j = 0; j < count; ++j) CHECK(round_of[j] == i || round_of[j] == i + 1);
  }
  return NULL;
}

static void* in_turn(void* unused) {
  for (int i = 0; i < 3; ++i) {
    CHECK_IS(sem_wait(&semaphore), 0);
    if (++in_region > most_in_region) most_in_region = in_region;
    sleep_us(1);
    --in_region;
    CHECK_IS(sem_post(&semaphore), 0);
  }
  return unused;
}

static void* reads_and_writes(void* number) {
  for (int i = 0; i < 10; ++i) {
    CHECK_IS(pthread_rwlock_rdlock(&lock), 0);
    CHECK_IS(pthread_rwlock_rdlock(&lock), 0);
    if (++readers > most_readers) most_readers = readers;
    sleep_us(1);
    --readers;
    CHECK_IS(pthread_rwlock_unlock(&lock), 0);
    CHECK_IS(pthread_rwlock_unlock(&lock), 0);
    CHECK_IS(pthread_rwlock_wrlock(&lock), 0);
    CHECK_IS(pthread_rwlock_wrlock(&lock), EDEADLK);
    CHECK_IS(readers, 0);
    const int before = writes;
    sleep_us(1);
    writes = before + 1;
    CHECK_IS(pthread_rwlock_unlock(&lock), 0);
  }
  return number;
}

static void* does_not_get_lock(void* unused) {
  struct timespec soon = in_us(CLOCK_REALTIME, 3);
  CHECK_IS(pthread_rwlock_trywrlock(&lock), EBUSY);
  CHECK_IS(pthread_rwlock_tryrdlock(&lock), EBUSY);
  CHECK_IS(pthread_rwlock_timedrdlock(&lock, &soon), ETIMEDOUT);
  CHECK_IS(pthread_rwlock_timedwrlock(&lock, &soon), ETIMEDOUT);
  CHECK_IS(pthread_rwlock_unlock(&lock), EPERM);
  return unused;
}

static void* spins_a_while(void* unused) {
  for (int i = 0; i < 20; ++i) {
    pthread_spin_lock(&spin);
    const int before = spins;
    if (i % 4 == 0) sleep_us(1);
    spins = before + 1;
    pthread_spin_unlock(&spin);
  }
  return unused;
}

static void only_once(void) {
  sleep_us(2);
  ++onces;
}
static void* once_for_all(void* unused) {
  CHECK_IS(pthread_once(&once, only_once), 0);
  CHECK_IS(onces, 1);
  return unused;
}

static void destroy(void* value) { destroyed += (int)(intptr_t)value; }
static void destroy_twice(void* value) {
  ++destroyed_again;
  if ((intptr_t)value == 1) pthread_setspecific(second_key, (void*)2);
}
static void* keeps(void* number) {
  CHECK(pthread_getspecific(key) == NULL);
  CHECK_IS(pthread_setspecific(key, (void*)((intptr_t)number + 1)), 0);
  CHECK_IS(pthread_setspecific(second_key, (void*)1), 0);
  sleep_us(1);
  CHECK_IS((intptr_t)pthread_getspecific(key), (intptr_t)number + 1);
  return NULL;
}

int main(void) {
  CHECK_IS(pthread_barrier_init(&barrier, NULL, 0), EINVAL);
  CHECK_IS(pthread_barrier_init(&barrier, NULL, count), 0);
  run(in_rounds);
  CHECK_IS(serial, 4);
  CHECK_IS(pthread_barrier_destroy(&barrier), 0);

  CHECK_IS(sem_init(&semaphore, 0, 2), 0);
  run(in_turn);
  CHECK_IS(most_in_region, 2);
  int value;
  CHECK_IS(sem_getvalue(&semaphore, &value), 0);
  CHECK_IS(value, 2);
  CHECK_IS(sem_trywait(&semaphore), 0);
  CHECK_IS(sem_trywait(&semaphore), 0);
  CHECK(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
  struct timespec soon = in_us(CLOCK_REALTIME, 3);
  CHECK(sem_timedwait(&semaphore, &soon) == -1 && errno == ETIMEDOUT);
  CHECK_IS(sem_destroy(&semaphore), 0);
  CHECK(sem_open("/nobody's", 0) == SEM_FAILED && errno == ENOENT);
  sem_t* const named = sem_open("/named", O_CREAT, 0600, 1);
  CHECK(named != SEM_FAILED && sem_open("/named", 0) == named);
  CHECK(sem_open("/named", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
  CHECK_IS(sem_wait(named), 0);
  CHECK_IS(sem_unlink("/named"), 0);
  CHECK(sem_unlink("/named") == -1 && errno == ENOENT);

  run(reads_and_writes);
  CHECK_IS(writes, 10 * count);
  CHECK(most_readers > 1);
  pthread_rwlock_wrlock(&lock);
  pthread_t other;
  pthread_create(&other, NULL, does_not_get_lock, NULL);
  pthread_join(other, NULL);
  CHECK_IS(pthread_rwlock_destroy(&lock), EBUSY);
  pthread_rwlock_unlock(&lock);
  CHECK_IS(pthread_rwlock_destroy(&lock), 0);

  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  run(spins_a_while);
  CHECK_IS(spins, 20 * count);
  CHECK_IS(pthread_spin_trylock(&spin), 0);
  CHECK_IS(pthread_spin_trylock(&spin), EBUSY);
  CHECK_IS(pthread_spin_unlock(&spin), 0);

  run(once_for_all);
  CHECK_IS(pthread_key_create(&key, destroy), 0);
  CHECK_IS(pthread_key_create(&second_key, destroy_twice), 0);
  run(keeps);
  CHECK_IS(destroyed, count * (count + 1) / 2);
  CHECK_IS(destroyed_again, 2 * count);
  CHECK_IS(pthread_key_delete(key), 0);
  CHECK_IS(pthread_key_delete(key), EINVAL);
  CHECK_IS(pthread_setspecific(key, &key), EINVAL);
  printf("right\n");
  return 0;
}
