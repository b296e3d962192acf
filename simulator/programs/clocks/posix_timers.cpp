// timer_create and its kin, by simulated time.
#include <limits.h>
#include <pthread.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <memory>
#include <utility>

#include "simulator/programs/clocks/simulated_clocks.hpp"
#include "simulator/programs/clocks/timers.hpp"
#include "simulator/programs/libc/own_calls.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"

namespace hindcast::programs {

namespace {

void* call_function(void* given) {
  const sigevent event = *std::unique_ptr<sigevent>(static_cast<sigevent*>(given));
  event.sigev_notify_function(event.sigev_value);
  return nullptr;
}

void start_function(const sigevent& event) {
  auto given = std::make_unique<sigevent>(event);
  pthread_t thread{};
  if (hindcast_pthread_create(&thread, event.sigev_notify_attributes, call_function, given.get()) != 0) return;
  given.release();
  hindcast_pthread_detach(thread);
}

PosixTimer& timer_called(timer_t made) { return *static_cast<PosixTimer*>(made); }

}  // namespace

// While one signal of a timer has not been delivered there is no other, but a count of those that there were not.
void PosixTimer::send_signal() {
  sigset_t pending;
  hindcast_sigpending(&pending);
  if (sigismember(&pending, event.sigev_signo) != 0) {
    if (overruns < DELAYTIMER_MAX) ++overruns;
    return;
  }
  overruns = 0;
  hindcast_sigqueue(hindcast_rank_process(), event.sigev_signo, event.sigev_value);
}

void PosixTimer::tell() {
  if (event.sigev_notify == SIGEV_SIGNAL) send_signal();
  if (event.sigev_notify == SIGEV_THREAD) start_function(event);
}

}  // namespace hindcast::programs

using namespace hindcast::programs;

extern "C" {

int hindcast_timer_create(clockid_t clock, sigevent* event, timer_t* made) {
  timespec now{};
  if (hindcast_clock_gettime(clock, &now) != 0) return -1;
  PosixTimer& timer = Timers::of_caller("timer_create").unused_posix_timer();
  timer.is_in_use = true;
  timer.clock = clock;
  timer.overruns = 0;
  timer.event = {};
  timer.event.sigev_notify = SIGEV_SIGNAL;
  timer.event.sigev_signo = SIGALRM;
  timer.event.sigev_value.sival_ptr = &timer;
  if (event != nullptr) timer.event = *event;
  *made = &timer;
  return 0;
}

int hindcast_timer_delete(timer_t made) {
  timer_called(made).set(0, 0);
  timer_called(made).is_in_use = false;
  return 0;
}

int hindcast_timer_gettime(timer_t made, itimerspec* value) {
  value->it_value = timespec_of_ns(timer_called(made).left_ns());
  value->it_interval = timespec_of_ns(timer_called(made).interval_ns());
  return 0;
}

int hindcast_timer_settime(timer_t made, int flags, const itimerspec* value, itimerspec* before) {
  PosixTimer& timer = timer_called(made);
  if (!is_length_of_time(value->it_value) || !is_length_of_time(value->it_interval)) {
    errno = EINVAL;
    return -1;
  }
  std::int64_t delay_ns = ns_of(value->it_value);
  const std::int64_t interval_ns = ns_of(value->it_interval);
  if (before != nullptr) hindcast_timer_gettime(made, before);
  if ((flags & TIMER_ABSTIME) != 0 && delay_ns > 0) {
    timespec now{};
    hindcast_clock_gettime(timer.clock, &now);
    delay_ns = delay_ns > ns_of(now) ? delay_ns - ns_of(now) : 1;
  }
  return timer.set(delay_ns, interval_ns);
}

int hindcast_timer_getoverrun(timer_t made) { return timer_called(made).overruns; }

}  // extern "C"
