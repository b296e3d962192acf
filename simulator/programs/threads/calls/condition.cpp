// Condition variables. A thread that is signalled goes on once it has the mutex again: it goes straight from one queue
// to the other.
#include <pthread.h>

#include <cerrno>
#include <cstring>

#include "simulator/programs/threads/deadlines.hpp"
#include "simulator/programs/threads/mutex.hpp"
#include "simulator/programs/threads/sync_wait.hpp"

namespace hindcast::programs {

namespace {

struct Condition {
  WaitQueue waiters;
  clockid_t clock;  // of time-outs; all zeros is CLOCK_REALTIME

  static Condition& of(pthread_cond_t* condition) { return *reinterpret_cast<Condition*>(condition); }
};
static_assert(sizeof(Condition) <= sizeof(pthread_cond_t) && CLOCK_REALTIME == 0);

class ConditionWait final : public SyncWait {
 public:
  ConditionWait(ProgramThreads& threads, const char* call, const Condition& condition, const Waiter& waiter,
                const Mutex& mutex)
      : SyncWait(threads, call, "condition", &condition), waiter_(waiter), mutex_(mutex) {}

 private:
  // Once it has been signalled.
  const ProgramThread* holder() const override {
    return waiter_.queue == &mutex_.waiters ? holder_of(mutex_, threads_) : nullptr;
  }

  const Waiter& waiter_;
  const Mutex& mutex_;
};

int wait_for_condition(pthread_cond_t* condition, pthread_mutex_t* mutex, Time until, void* caller, const char* call) {
  ProgramThread& self = ProgramThreads::calling(call);
  Condition& own = Condition::of(condition);
  Mutex& own_mutex = Mutex::of(mutex);
  self.act_on_cancel();
  if (const int error = unlock(own_mutex, self); error != 0) return error;
  Waiter waiter(self);
  waiter.until = until;
  waiter.can_be_cancelled = true;
  waiter.mutex = &own_mutex;
  const ConditionWait why(self.threads, call, own, waiter, own_mutex);
  const bool is_signalled = self.wait_in(own.waiters, waiter, why);
  // Cleanup handlers find the mutex locked.
  const int error = is_signalled ? take_over(own_mutex, self, caller) : lock(own_mutex, self, caller, call);
  self.act_on_cancel();
  return error != 0 || is_signalled ? error : ETIMEDOUT;
}

int wait_until(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* time, void* caller,
               const char* call) {
  if (!is_valid_time(*time) || !has_deadlines(clock)) return EINVAL;
  return wait_for_condition(condition, mutex, deadline_of(*time, clock), caller, call);
}

}  // namespace

}  // namespace hindcast::programs

using namespace hindcast;
using namespace hindcast::programs;

extern "C" {

int hindcast_pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) {
  std::memset(condition, 0, sizeof *condition);
  if (attributes != nullptr) pthread_condattr_getclock(attributes, &Condition::of(condition).clock);
  return 0;
}

int hindcast_pthread_cond_destroy(pthread_cond_t* condition) {
  return Condition::of(condition).waiters.is_empty() ? 0 : EBUSY;
}

int hindcast_pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  return wait_for_condition(condition, mutex, Time::never(), __builtin_return_address(0), "pthread_cond_wait");
}

int hindcast_pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* time) {
  return wait_until(condition, mutex, Condition::of(condition).clock, time, __builtin_return_address(0),
                    "pthread_cond_timedwait");
}

int hindcast_pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                    const timespec* time) {
  return wait_until(condition, mutex, clock, time, __builtin_return_address(0), "pthread_cond_clockwait");
}

int hindcast_pthread_cond_signal(pthread_cond_t* condition) {
  ProgramThreads::calling("pthread_cond_signal");
  Waiter* const first = Condition::of(condition).waiters.first();
  if (first != nullptr) queue_for(*first->mutex, *first);
  return 0;
}

int hindcast_pthread_cond_broadcast(pthread_cond_t* condition) {
  ProgramThreads::calling("pthread_cond_broadcast");
  while (Waiter* const first = Condition::of(condition).waiters.first()) queue_for(*first->mutex, *first);
  return 0;
}

}  // extern "C"
