#include <pthread.h>

#include <cerrno>
#include <cstring>

#include "simulator/programs/threads/sync_wait.hpp"

namespace hindcast::programs {

namespace {

struct Barrier {
  std::uint32_t count;
  std::uint32_t waiting;
  WaitQueue waiters;

  static Barrier& of(pthread_barrier_t* barrier) { return *reinterpret_cast<Barrier*>(barrier); }
};
static_assert(sizeof(Barrier) <= sizeof(pthread_barrier_t));

}  // namespace

}  // namespace hindcast::programs

using namespace hindcast::programs;

extern "C" {

int hindcast_pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t*, unsigned count) {
  if (count == 0 || count > INT32_MAX) return EINVAL;
  std::memset(barrier, 0, sizeof *barrier);
  Barrier::of(barrier).count = count;
  return 0;
}

int hindcast_pthread_barrier_destroy(pthread_barrier_t* barrier) {
  return Barrier::of(barrier).waiters.is_empty() ? 0 : EBUSY;
}

int hindcast_pthread_barrier_wait(pthread_barrier_t* barrier) {
  ProgramThread& self = ProgramThreads::calling("pthread_barrier_wait");
  Barrier& own = Barrier::of(barrier);
  if (++own.waiting == own.count) {
    own.waiting = 0;
    while (Waiter* const first = own.waiters.first()) grant(*first);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  Waiter waiter(self);
  if (!self.wait_in(own.waiters, waiter, PlainWait(self.threads, "pthread_barrier_wait", "barrier", barrier))) {
    --own.waiting;
    self.act_on_cancel();
  }
  return 0;
}

}  // extern "C"
