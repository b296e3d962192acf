#include <fcntl.h>
#include <semaphore.h>

#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <string>

#include "simulator/programs/rank_archive/rank_interface.h"
#include "simulator/programs/threads/deadlines.hpp"
#include "simulator/programs/threads/named_semaphores.hpp"
#include "simulator/programs/threads/sync_wait.hpp"

namespace hindcast::programs {

namespace {

struct Semaphore {
  std::uint32_t value;
  WaitQueue waiters;

  static Semaphore& of(sem_t* semaphore) { return *reinterpret_cast<Semaphore*>(semaphore); }
};
static_assert(sizeof(Semaphore) <= sizeof(sem_t));

int fail_semaphore_with(int error) {
  errno = error;
  return -1;
}

int take_one(sem_t* semaphore, Time until, const char* call) {
  ProgramThread& self = ProgramThreads::calling(call);
  self.act_on_cancel();
  Semaphore& own = Semaphore::of(semaphore);
  for (;;) {
    if (own.value > 0) {
      --own.value;
      return 0;
    }
    Waiter waiter(self);
    waiter.until = until;
    waiter.can_be_cancelled = true;
    waiter.ends_at_signal = true;
    const bool is_granted = self.wait_in(own.waiters, waiter, PlainWait(self.threads, call, "semaphore", semaphore));
    self.act_on_cancel();
    if (is_granted) return 0;
    if (waiter.signal_effect != hindcast_signal_restarts)
      return fail_semaphore_with(waiter.signal_effect == hindcast_signal_interrupts ? EINTR : ETIMEDOUT);
  }
}

int take_one_until(sem_t* semaphore, clockid_t clock, const timespec* time, const char* call) {
  const bool is_there = Semaphore::of(semaphore).value > 0;
  if (!is_there && (!is_valid_time(*time) || !has_deadlines(clock))) return fail_semaphore_with(EINVAL);
  return take_one(semaphore, deadline_of(*time, clock), call);
}

}  // namespace

}  // namespace hindcast::programs

using namespace hindcast;
using namespace hindcast::programs;

extern "C" {

int hindcast_sem_init(sem_t* semaphore, int, unsigned value) {
  if (value > SEM_VALUE_MAX) return fail_semaphore_with(EINVAL);
  std::memset(semaphore, 0, sizeof *semaphore);
  Semaphore::of(semaphore).value = value;
  return 0;
}

int hindcast_sem_destroy(sem_t* semaphore) {
  return Semaphore::of(semaphore).waiters.is_empty() ? 0 : fail_semaphore_with(EBUSY);
}

int hindcast_sem_post(sem_t* semaphore) {
  ProgramThreads::calling("sem_post");
  Semaphore& own = Semaphore::of(semaphore);
  if (Waiter* const first = own.waiters.first())
    grant(*first);
  else if (own.value == SEM_VALUE_MAX)
    return fail_semaphore_with(EOVERFLOW);
  else
    ++own.value;
  return 0;
}

int hindcast_sem_wait(sem_t* semaphore) { return take_one(semaphore, Time::never(), "sem_wait"); }

int hindcast_sem_timedwait(sem_t* semaphore, const timespec* time) {
  return take_one_until(semaphore, CLOCK_REALTIME, time, "sem_timedwait");
}

int hindcast_sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* time) {
  return take_one_until(semaphore, clock, time, "sem_clockwait");
}

int hindcast_sem_trywait(sem_t* semaphore) {
  ProgramThread& self = ProgramThreads::calling("sem_trywait");
  Semaphore& own = Semaphore::of(semaphore);
  if (own.value == 0) {
    self.look_in_vain();
    return fail_semaphore_with(EAGAIN);
  }
  --own.value;
  return 0;
}

int hindcast_sem_getvalue(sem_t* semaphore, int* value) {
  ProgramThreads::calling("sem_getvalue").look_in_vain();
  *value = static_cast<int>(Semaphore::of(semaphore).value);
  return 0;
}

sem_t* hindcast_sem_open(const char* name, int flags, ...) {
  NamedSemaphores& named = ProgramThreads::calling("sem_open").threads.named_semaphores();
  sem_t* found = named.find(name);
  if (found != nullptr && (flags & O_CREAT) != 0 && (flags & O_EXCL) != 0) errno = EEXIST;
  if (found != nullptr) return errno == EEXIST && (flags & O_EXCL) != 0 ? SEM_FAILED : found;
  if ((flags & O_CREAT) == 0) {
    errno = ENOENT;
    return SEM_FAILED;
  }
  va_list arguments;
  va_start(arguments, flags);
  va_arg(arguments, unsigned);  // its mode
  const unsigned value = va_arg(arguments, unsigned);
  va_end(arguments);
  sem_t* made = named.make(name);
  return hindcast_sem_init(made, 0, value) == 0 ? made : SEM_FAILED;
}

int hindcast_sem_close(sem_t*) { return 0; }

int hindcast_sem_unlink(const char* name) {
  return ProgramThreads::calling("sem_unlink").threads.named_semaphores().unlink(name) ? 0
                                                                                       : fail_semaphore_with(ENOENT);
}

}  // extern "C"
