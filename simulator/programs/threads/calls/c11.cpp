// C11's mutexes and conditions are those of POSIX, in memory of the same layout; their calls have results of their own.
#include <pthread.h>
#include <threads.h>

#include <cerrno>

#include "simulator/programs/threads/calls/calls_of_posix.hpp"

namespace {

static_assert(sizeof(mtx_t) >= sizeof(pthread_mutex_t) && sizeof(cnd_t) >= sizeof(pthread_cond_t));

pthread_mutex_t* as_posix(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* as_posix(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }

int result_of(int error) {
  switch (error) {
    case 0:
      return thrd_success;
    case EBUSY:
      return thrd_busy;
    case ETIMEDOUT:
      return thrd_timedout;
    case ENOMEM:
      return thrd_nomem;
    default:
      return thrd_error;
  }
}

}  // namespace

extern "C" {

int hindcast_mtx_init(mtx_t* mutex, int type) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, (type & mtx_recursive) != 0 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  return result_of(hindcast_pthread_mutex_init(as_posix(mutex), &attributes));
}
void hindcast_mtx_destroy(mtx_t* mutex) { hindcast_pthread_mutex_destroy(as_posix(mutex)); }
int hindcast_mtx_lock(mtx_t* mutex) { return result_of(hindcast_pthread_mutex_lock(as_posix(mutex))); }
int hindcast_mtx_timedlock(mtx_t* mutex, const timespec* time) {
  return result_of(hindcast_pthread_mutex_timedlock(as_posix(mutex), time));
}
int hindcast_mtx_trylock(mtx_t* mutex) { return result_of(hindcast_pthread_mutex_trylock(as_posix(mutex))); }
int hindcast_mtx_unlock(mtx_t* mutex) { return result_of(hindcast_pthread_mutex_unlock(as_posix(mutex))); }

int hindcast_cnd_init(cnd_t* condition) { return result_of(hindcast_pthread_cond_init(as_posix(condition), nullptr)); }
void hindcast_cnd_destroy(cnd_t* condition) { hindcast_pthread_cond_destroy(as_posix(condition)); }
int hindcast_cnd_wait(cnd_t* condition, mtx_t* mutex) {
  return result_of(hindcast_pthread_cond_wait(as_posix(condition), as_posix(mutex)));
}
int hindcast_cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* time) {
  return result_of(hindcast_pthread_cond_timedwait(as_posix(condition), as_posix(mutex), time));
}
int hindcast_cnd_signal(cnd_t* condition) { return result_of(hindcast_pthread_cond_signal(as_posix(condition))); }
int hindcast_cnd_broadcast(cnd_t* condition) { return result_of(hindcast_pthread_cond_broadcast(as_posix(condition))); }

int hindcast_tss_create(tss_t* key, tss_dtor_t destructor) {
  return result_of(hindcast_pthread_key_create(key, destructor));
}
void hindcast_tss_delete(tss_t key) { hindcast_pthread_key_delete(key); }
int hindcast_tss_set(tss_t key, void* value) { return result_of(hindcast_pthread_setspecific(key, value)); }

}  // extern "C"
