#include "simulator/programs/threads/mutex.hpp"

#include <cerrno>
#include <cstring>
#include <limits>

#include "simulator/programs/threads/deadlines.hpp"
#include "simulator/programs/threads/sync_wait.hpp"

namespace hindcast::programs {

namespace {

class MutexWait final : public SyncWait {
 public:
  MutexWait(ProgramThreads& threads, const char* call, const Mutex& mutex)
      : SyncWait(threads, call, "mutex", &mutex), mutex_(mutex) {}

 private:
  const ProgramThread* holder() const override { return holder_of(mutex_, threads_); }

  const Mutex& mutex_;
};

// By its owner. Nothing: it waits for itself, as a normal mutex has it.
int lock_again(Mutex& mutex) {
  if (mutex.kind == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
  if (mutex.depth == std::numeric_limits<std::uint32_t>::max()) return EAGAIN;
  ++mutex.depth;
  return 0;
}

void take(Mutex& mutex, ProgramThread& self, void* caller) {
  mutex.owner = self.number;
  mutex.depth = 0;
  self.hold(&mutex, caller, mutex.is_robust != 0);
}

int news_of(const Mutex& mutex) { return mutex.health == Mutex::Health::owner_has_died ? EOWNERDEAD : 0; }

bool is_normal(const Mutex& mutex) {
  return mutex.kind != PTHREAD_MUTEX_ERRORCHECK && mutex.kind != PTHREAD_MUTEX_RECURSIVE;
}

}  // namespace

const ProgramThread* holder_of(const Mutex& mutex, ProgramThreads& threads) { return threads.holder(mutex.owner); }

int take_over(Mutex& mutex, ProgramThread& self, void* caller) {
  if (mutex.health == Mutex::Health::lost) return ENOTRECOVERABLE;
  self.hold(&mutex, caller, mutex.is_robust != 0);
  return news_of(mutex);
}

int try_to_lock(Mutex& mutex, ProgramThread& self, void* caller) {
  if (mutex.health == Mutex::Health::lost) return ENOTRECOVERABLE;
  if (mutex.owner == 0) {
    take(mutex, self, caller);
    return news_of(mutex);
  }
  if (mutex.owner == self.number && mutex.kind == PTHREAD_MUTEX_RECURSIVE) return lock_again(mutex);
  self.look_in_vain();
  return EBUSY;
}

int lock(Mutex& mutex, ProgramThread& self, void* caller, const char* call, Time until) {
  if (mutex.health == Mutex::Health::lost) return ENOTRECOVERABLE;
  if (mutex.owner == 0) self.count_take();
  if (mutex.owner == 0) {
    take(mutex, self, caller);
    return news_of(mutex);
  }
  if (mutex.owner == self.number && !is_normal(mutex)) return lock_again(mutex);
  const MutexWait why(self.threads, call, mutex);
  Waiter waiter(self);
  waiter.until = until;
  if (!self.wait_in(mutex.waiters, waiter, why)) return self.must_cancel() ? EINTR : ETIMEDOUT;
  return take_over(mutex, self, caller);
}

void hand_over(Mutex& mutex) {
  Waiter* next = mutex.waiters.first();
  mutex.owner = next != nullptr ? next->thread->number : 0;
  mutex.depth = 0;
  if (next != nullptr) grant(*next);
}

void queue_for(Mutex& mutex, Waiter& waiter) {
  waiter.queue->remove(waiter);
  waiter.until = Time::never();
  waiter.can_be_cancelled = false;
  mutex.waiters.push(waiter);
  if (mutex.owner == 0) hand_over(mutex);
}

int unlock(Mutex& mutex, ProgramThread& self) {
  if (mutex.owner != self.number) {
    if (!is_normal(mutex) || mutex.is_robust != 0) return EPERM;
    if (mutex.owner == 0) return 0;
    if (ProgramThread* owner = self.threads.find(mutex.owner)) owner->let_go(&mutex);
  } else if (mutex.depth > 0) {
    --mutex.depth;
    return 0;
  } else {
    self.let_go(&mutex);
  }
  if (mutex.health == Mutex::Health::owner_has_died) {
    mutex.health = Mutex::Health::lost;  // nobody has said that it is consistent
    while (Waiter* waiter = mutex.waiters.first()) grant(*waiter);
  }
  hand_over(mutex);
  return 0;
}

void abandon_mutexes(ProgramThread& thread) {
  std::erase_if(thread.held, [&](const ProgramThread::Held& held) {
    if (!held.is_robust_mutex) return false;
    Mutex& mutex = *const_cast<Mutex*>(static_cast<const Mutex*>(held.lock));
    mutex.health = Mutex::Health::owner_has_died;
    hand_over(mutex);
    return true;
  });
}

}  // namespace hindcast::programs

using namespace hindcast;
using namespace hindcast::programs;

namespace {

int lock_until(pthread_mutex_t* mutex, clockid_t clock, const timespec* time, void* caller, const char* call) {
  ProgramThread& self = ProgramThreads::calling(call);
  if (!has_deadlines(clock)) return EINVAL;
  if (!is_valid_time(*time) && Mutex::of(mutex).owner != 0) return EINVAL;
  const int error = lock(Mutex::of(mutex), self, caller, call, deadline_of(*time, clock));
  self.act_on_cancel_at_once();
  return error;
}

}  // namespace

extern "C" {

int hindcast_pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) {
  std::memset(mutex, 0, sizeof *mutex);
  if (attributes == nullptr) return 0;
  Mutex& own = Mutex::of(mutex);
  int is_robust = PTHREAD_MUTEX_STALLED;
  pthread_mutexattr_gettype(attributes, &own.kind);
  pthread_mutexattr_getrobust(attributes, &is_robust);
  pthread_mutexattr_getprioceiling(attributes, &own.ceiling);
  own.is_robust = is_robust == PTHREAD_MUTEX_ROBUST ? 1 : 0;
  return 0;
}

int hindcast_pthread_mutex_destroy(pthread_mutex_t* mutex) {
  if (Mutex::of(mutex).owner != 0) return EBUSY;
  std::memset(mutex, 0, sizeof *mutex);
  return 0;
}

int hindcast_pthread_mutex_lock(pthread_mutex_t* mutex) {
  ProgramThread& self = ProgramThreads::calling("pthread_mutex_lock");
  const int error = lock(Mutex::of(mutex), self, __builtin_return_address(0), "pthread_mutex_lock");
  self.act_on_cancel_at_once();
  return error;
}

int hindcast_pthread_mutex_trylock(pthread_mutex_t* mutex) {
  return try_to_lock(Mutex::of(mutex), ProgramThreads::calling("pthread_mutex_trylock"), __builtin_return_address(0));
}

int hindcast_pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* time) {
  return lock_until(mutex, CLOCK_REALTIME, time, __builtin_return_address(0), "pthread_mutex_timedlock");
}

int hindcast_pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* time) {
  return lock_until(mutex, clock, time, __builtin_return_address(0), "pthread_mutex_clocklock");
}

int hindcast_pthread_mutex_unlock(pthread_mutex_t* mutex) {
  return unlock(Mutex::of(mutex), ProgramThreads::calling("pthread_mutex_unlock"));
}

int hindcast_pthread_mutex_consistent(pthread_mutex_t* mutex) {
  Mutex& own = Mutex::of(mutex);
  if (own.is_robust == 0 || own.health != Mutex::Health::owner_has_died) return EINVAL;
  own.health = Mutex::Health::sound;
  return 0;
}

int hindcast_pthread_mutex_getprioceiling(const pthread_mutex_t* mutex, int* ceiling) {
  *ceiling = Mutex::of(const_cast<pthread_mutex_t*>(mutex)).ceiling;
  return 0;
}

int hindcast_pthread_mutex_setprioceiling(pthread_mutex_t* mutex, int ceiling, int* before) {
  Mutex& own = Mutex::of(mutex);
  if (before != nullptr) *before = own.ceiling;
  own.ceiling = ceiling;
  return 0;
}

}  // extern "C"
