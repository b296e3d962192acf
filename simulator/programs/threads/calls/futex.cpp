// What waits for the value of a word: Linux's futexes, on which C++'s futures and atomic variables wait, and spin
// locks.
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <limits>

#include "simulator/programs/threads/deadlines.hpp"
#include "simulator/programs/threads/sync_wait.hpp"

namespace hindcast::programs {

namespace {

long fail_futex_with(int error) {
  errno = error;
  return -1;
}

long wait_for_change(std::uint32_t* word, std::uint32_t value, Time until, std::uint32_t bits) {
  ProgramThread& self = ProgramThreads::calling("futex");
  if (bits == 0) return fail_futex_with(EINVAL);
  if (*word != value) {
    self.look_in_vain();
    return fail_futex_with(EAGAIN);
  }
  Waiter waiter(self);
  waiter.until = until;
  waiter.bits = bits;
  const bool is_woken = self.wait_in(self.threads.waiting_at(word), waiter,
                                     PlainWait(self.threads, "a wait for a change", "variable", word));
  self.threads.tidy(word);
  self.act_on_cancel_at_once();
  return is_woken ? 0 : fail_futex_with(ETIMEDOUT);
}

long wake_some(const std::uint32_t* word, std::uint32_t count, std::uint32_t bits) {
  ProgramThreads& threads = ProgramThreads::calling("futex").threads;
  long woken = 0;
  for (Waiter* next = threads.waiting_at(word).first(); next != nullptr && woken < count;) {
    Waiter* const after = next->next;
    if ((next->bits & bits) != 0) {
      grant(*next);
      ++woken;
    }
    next = after;
  }
  threads.tidy(word);
  return woken;
}

long requeue(const std::uint32_t* word, std::uint32_t woken_max, std::uint32_t moved_max, const std::uint32_t* other) {
  long count = wake_some(word, woken_max, FUTEX_BITSET_MATCH_ANY);
  ProgramThreads& threads = ProgramThreads::calling("futex").threads;
  WaitQueue& target = threads.waiting_at(other);
  for (std::uint32_t moved = 0; moved < moved_max; ++moved, ++count) {
    Waiter* const first = threads.waiting_at(word).first();
    if (first == nullptr) break;
    first->queue->remove(*first);
    target.push(*first);
  }
  threads.tidy(word);
  threads.tidy(other);
  return count;
}

long futex(std::uint32_t* word, int operation, std::uint32_t value, const timespec* time, std::uint32_t* other,
           std::uint32_t last) {
  const clockid_t clock = (operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  const bool has_time = time != nullptr;
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT: {
      const Time now = Thread::current()->clock();
      const Time longest = has_time ? duration_of(*time) : Time::never();
      return wait_for_change(word, value, longest < Time::never() ? now + longest : Time::never(),
                             FUTEX_BITSET_MATCH_ANY);
    }
    case FUTEX_WAIT_BITSET:
      return wait_for_change(word, value, has_time ? deadline_of(*time, clock) : Time::never(), last);
    case FUTEX_WAKE:
      return wake_some(word, value, FUTEX_BITSET_MATCH_ANY);
    case FUTEX_WAKE_BITSET:
      return wake_some(word, value, last);
    case FUTEX_CMP_REQUEUE:
      if (*word != last) return fail_futex_with(EAGAIN);
      [[fallthrough]];
    case FUTEX_REQUEUE:
      return requeue(word, value, static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(time)), other);
    default:
      return fail_futex_with(ENOSYS);
  }
}

// A spin lock's word is its owner's number.
std::uint32_t& word_of(pthread_spinlock_t* lock) { return reinterpret_cast<std::uint32_t&>(const_cast<int&>(*lock)); }

class SpinWait final : public SyncWait {
 public:
  SpinWait(ProgramThreads& threads, const std::uint32_t& word)
      : SyncWait(threads, "pthread_spin_lock", "spin lock", &word), word_(word) {}

 private:
  const ProgramThread* holder() const override { return threads_.holder(word_); }

  const std::uint32_t& word_;
};

}  // namespace

}  // namespace hindcast::programs

using namespace hindcast;
using namespace hindcast::programs;

extern "C" {

// Called with as many arguments as the system's call has: those that it has not are not looked at.
long hindcast_syscall(long number, long first, long second, long third, long fourth, long fifth, long sixth) {
  if (number == SYS_futex)
    return futex(reinterpret_cast<std::uint32_t*>(first), static_cast<int>(second), static_cast<std::uint32_t>(third),
                 reinterpret_cast<const timespec*>(fourth), reinterpret_cast<std::uint32_t*>(fifth),
                 static_cast<std::uint32_t>(sixth));
  if (number == SYS_gettid) return ProgramThreads::calling("gettid").system_number();
  return syscall(number, first, second, third, fourth, fifth, sixth);
}

int hindcast_pthread_spin_init(pthread_spinlock_t* lock, int) {
  word_of(lock) = 0;
  return 0;
}
int hindcast_pthread_spin_destroy(pthread_spinlock_t*) { return 0; }

int hindcast_pthread_spin_lock(pthread_spinlock_t* lock) {
  ProgramThread& self = ProgramThreads::calling("pthread_spin_lock");
  std::uint32_t& word = word_of(lock);
  void* const caller = __builtin_return_address(0);
  if (word == self.number) return EDEADLK;
  if (word == 0) {
    word = self.number;
  } else {
    Waiter waiter(self);
    self.wait_in(self.threads.waiting_at(&word_of(lock)), waiter, SpinWait(self.threads, word));
  }
  self.hold(&word, caller);
  return 0;
}

int hindcast_pthread_spin_trylock(pthread_spinlock_t* lock) {
  ProgramThread& self = ProgramThreads::calling("pthread_spin_trylock");
  if (word_of(lock) != 0) {
    self.look_in_vain();
    return EBUSY;
  }
  word_of(lock) = self.number;
  self.hold(&word_of(lock), __builtin_return_address(0));
  return 0;
}

int hindcast_pthread_spin_unlock(pthread_spinlock_t* lock) {
  ProgramThread& self = ProgramThreads::calling("pthread_spin_unlock");
  self.let_go(&word_of(lock));
  Waiter* const next = self.threads.waiting_at(&word_of(lock)).first();
  word_of(lock) = next != nullptr ? next->thread->number : 0;
  if (next != nullptr) grant(*next);
  self.threads.tidy(&word_of(lock));
  return 0;
}

}  // extern "C"
