// timerfd_create and its kin: a counter of events, which a timer of simulated time counts on.
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

#include <cerrno>
#include <cstdint>
#include <ctime>

#include "simulator/programs/clocks/simulated_clocks.hpp"
#include "simulator/programs/clocks/timers.hpp"
#include "simulator/programs/libc/own_calls.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"

namespace hindcast::programs {

void DescriptorTimer::tell() {
  const std::uint64_t one = 1;
  hindcast_rank_write(descriptor, &one, sizeof one);
}

namespace {

// Of what is no timer.
int refuse_as_no_timer(int descriptor) {
  errno = fcntl(descriptor, F_GETFD) < 0 ? EBADF : EINVAL;
  return -1;
}

// What it has counted so far is forgotten.
void clear_counter(int descriptor) {
  pollfd one{descriptor, POLLIN, 0};
  std::uint64_t counted = 0;
  if (hindcast_poll(&one, 1, 0) > 0) hindcast_rank_read(descriptor, &counted, sizeof counted);
}

}  // namespace

}  // namespace hindcast::programs

using namespace hindcast::programs;

extern "C" {

int hindcast_timerfd_create(clockid_t clock, int flags) {
  const int descriptor = eventfd(0, flags);
  if (descriptor < 0) return -1;
  DescriptorTimer& timer = Timers::of_caller("timerfd_create").unused_descriptor_timer();
  timer.set(0, 0);
  timer.descriptor = descriptor;
  timer.clock = clock;
  return descriptor;
}

int hindcast_timerfd_gettime(int descriptor, itimerspec* value) {
  const DescriptorTimer* const timer = Timers::of_caller("timerfd_gettime").timer_of(descriptor);
  if (timer == nullptr) return refuse_as_no_timer(descriptor);
  value->it_value = timespec_of_ns(timer->left_ns());
  value->it_interval = timespec_of_ns(timer->interval_ns());
  return 0;
}

int hindcast_timerfd_settime(int descriptor, int flags, const itimerspec* value, itimerspec* before) {
  DescriptorTimer* const timer = Timers::of_caller("timerfd_settime").timer_of(descriptor);
  if (timer == nullptr) return refuse_as_no_timer(descriptor);
  std::int64_t delay_ns = ns_of(value->it_value);
  const std::int64_t interval_ns = ns_of(value->it_interval);
  if (before != nullptr) hindcast_timerfd_gettime(descriptor, before);
  if ((flags & TFD_TIMER_ABSTIME) != 0 && delay_ns > 0) {
    timespec now{};
    if (hindcast_clock_gettime(timer->clock, &now) != 0) return -1;
    delay_ns -= ns_of(now);
    if (delay_ns <= 0) delay_ns = 1;
  }
  clear_counter(descriptor);
  return timer->set(delay_ns, interval_ns);
}

}  // extern "C"
