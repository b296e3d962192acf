// Read-write locks. Unless its attributes prefer writers, a lock that is read may be read by others too while writers
// wait, so that a thread may lock it for reading twice.
#include <pthread.h>

#include <cerrno>
#include <cstring>

#include "simulator/programs/threads/deadlines.hpp"
#include "simulator/programs/threads/sync_wait.hpp"

namespace hindcast::programs {

namespace {

struct ReadWriteLock {
  std::uint32_t readers;
  ProgramThread::Number writer;  // 0: nobody
  std::uint32_t waiting_writers;
  std::uint32_t unused[3];
  WaitQueue waiters;
  std::uint32_t unused_too[2];
  std::uint32_t preference;  // where PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP has it

  static ReadWriteLock& of(pthread_rwlock_t* lock) { return *reinterpret_cast<ReadWriteLock*>(lock); }

  bool prefers_writers() const { return preference == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP; }
  bool can_be_read() const { return writer == 0 && (waiting_writers == 0 || !prefers_writers()); }
  bool can_be_written() const { return writer == 0 && readers == 0; }
};
static_assert(sizeof(ReadWriteLock) <= sizeof(pthread_rwlock_t) &&
              offsetof(ReadWriteLock, preference) == offsetof(pthread_rwlock_t, __data.__flags));

class ReadWriteWait final : public SyncWait {
 public:
  ReadWriteWait(ProgramThreads& threads, const char* call, const ReadWriteLock& lock)
      : SyncWait(threads, call, "read-write lock", &lock), lock_(lock) {}

 private:
  const ProgramThread* holder() const override { return threads_.holder(lock_.writer); }

  const ReadWriteLock& lock_;
};

void take_at_once(ReadWriteLock& lock, ProgramThread& self, bool is_writer, void* caller) {
  if (is_writer)
    lock.writer = self.number;
  else
    ++lock.readers;
  self.hold(&lock, caller);
}

int try_to_lock_for(ReadWriteLock& lock, bool is_writer, void* caller, const char* call) {
  ProgramThread& self = ProgramThreads::calling(call);
  if (!(is_writer ? lock.can_be_written() : lock.can_be_read())) {
    self.look_in_vain();
    return EBUSY;
  }
  take_at_once(lock, self, is_writer, caller);
  return 0;
}

void grant_to(ReadWriteLock& lock, Waiter& waiter) {
  if (waiter.is_writer) {
    --lock.waiting_writers;
    lock.writer = waiter.thread->number;
  } else {
    ++lock.readers;
  }
  grant(waiter);
}

void let_readers_in(ReadWriteLock& lock) {
  for (Waiter* next = lock.waiters.first(); next != nullptr;) {
    Waiter* const after = next->next;
    if (!next->is_writer) grant_to(lock, *next);
    next = after;
  }
}

// The first in the queue, or the first writer where they are preferred; then all readers that may go with it.
void let_others_in(ReadWriteLock& lock) {
  Waiter* next = lock.waiters.first();
  for (Waiter* one = next; lock.prefers_writers() && one != nullptr; one = one->next)
    if (one->is_writer) {
      next = one;
      break;
    }
  if (next == nullptr) return;
  if (next->is_writer) return grant_to(lock, *next);
  let_readers_in(lock);
}

int lock_for(ReadWriteLock& lock, bool is_writer, Time until, void* caller, const char* call) {
  ProgramThread& self = ProgramThreads::calling(call);
  if (lock.writer == self.number) return EDEADLK;
  if (is_writer ? lock.can_be_written() : lock.can_be_read()) {
    take_at_once(lock, self, is_writer, caller);
    return 0;
  }
  Waiter waiter(self);
  waiter.until = until;
  waiter.is_writer = is_writer;
  if (is_writer) ++lock.waiting_writers;
  const bool is_granted = self.wait_in(lock.waiters, waiter, ReadWriteWait(self.threads, call, lock));
  if (is_granted) {
    self.hold(&lock, caller);
    return 0;
  }
  if (is_writer && --lock.waiting_writers == 0 && lock.can_be_read()) let_readers_in(lock);
  self.act_on_cancel_at_once();
  return ETIMEDOUT;
}

int lock_until(pthread_rwlock_t* lock, bool is_writer, clockid_t clock, const timespec* time, void* caller,
               const char* call) {
  if (!is_valid_time(*time) || !has_deadlines(clock)) return EINVAL;
  return lock_for(ReadWriteLock::of(lock), is_writer, deadline_of(*time, clock), caller, call);
}

}  // namespace

}  // namespace hindcast::programs

using namespace hindcast;
using namespace hindcast::programs;

extern "C" {

int hindcast_pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes) {
  std::memset(lock, 0, sizeof *lock);
  int preference = 0;
  if (attributes != nullptr) pthread_rwlockattr_getkind_np(attributes, &preference);
  ReadWriteLock::of(lock).preference = static_cast<std::uint32_t>(preference);
  return 0;
}

int hindcast_pthread_rwlock_destroy(pthread_rwlock_t* lock) {
  const ReadWriteLock& own = ReadWriteLock::of(lock);
  return own.writer != 0 || own.readers != 0 ? EBUSY : 0;
}

int hindcast_pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  return lock_for(ReadWriteLock::of(lock), false, Time::never(), __builtin_return_address(0), "pthread_rwlock_rdlock");
}
int hindcast_pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  return lock_for(ReadWriteLock::of(lock), true, Time::never(), __builtin_return_address(0), "pthread_rwlock_wrlock");
}
int hindcast_pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) {
  return try_to_lock_for(ReadWriteLock::of(lock), false, __builtin_return_address(0), "pthread_rwlock_tryrdlock");
}
int hindcast_pthread_rwlock_trywrlock(pthread_rwlock_t* lock) {
  return try_to_lock_for(ReadWriteLock::of(lock), true, __builtin_return_address(0), "pthread_rwlock_trywrlock");
}
int hindcast_pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* time) {
  return lock_until(lock, false, CLOCK_REALTIME, time, __builtin_return_address(0), "pthread_rwlock_timedrdlock");
}
int hindcast_pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* time) {
  return lock_until(lock, true, CLOCK_REALTIME, time, __builtin_return_address(0), "pthread_rwlock_timedwrlock");
}
int hindcast_pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* time) {
  return lock_until(lock, false, clock, time, __builtin_return_address(0), "pthread_rwlock_clockrdlock");
}
int hindcast_pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* time) {
  return lock_until(lock, true, clock, time, __builtin_return_address(0), "pthread_rwlock_clockwrlock");
}

int hindcast_pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  ProgramThread& self = ProgramThreads::calling("pthread_rwlock_unlock");
  ReadWriteLock& own = ReadWriteLock::of(lock);
  if (own.writer == self.number)
    own.writer = 0;
  else if (own.readers > 0)
    --own.readers;
  else
    return EPERM;
  self.let_go(&own);
  if (own.writer == 0 && own.readers == 0) let_others_in(own);
  return 0;
}

}  // extern "C"
