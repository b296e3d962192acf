// alarm and setitimer: timers that send a signal when simulated time has come so far.
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>

#include "simulator/programs/clocks/simulated_clocks.hpp"
#include "simulator/programs/clocks/timers.hpp"
#include "simulator/programs/libc/own_calls.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"

namespace hindcast::programs {

void IntervalTimer::tell() { hindcast_kill(hindcast_rank_process(), signal_); }

namespace {

constexpr std::int64_t ns_of_us = 1000;
constexpr std::int64_t us_of_s = 1'000'000;

std::int64_t us_above(std::int64_t ns) { return (ns + ns_of_us - 1) / ns_of_us; }
timeval timeval_above(std::int64_t ns) { return {us_above(ns) / us_of_s, us_above(ns) % us_of_s}; }
std::int64_t ns_of(const timeval& time) { return time.tv_sec * ns_of_s + time.tv_usec * ns_of_us; }
bool is_length_of_time(const timeval& time) { return time.tv_sec >= 0 && time.tv_usec >= 0 && time.tv_usec < us_of_s; }

// Gives what was left.
std::int64_t set_alarm(const char* function, std::int64_t delay_ns, std::int64_t interval_ns) {
  IntervalTimer& timer = *Timers::of_caller(function).interval_timer(ITIMER_REAL);
  const std::int64_t left_ns = timer.left_ns();
  timer.set(delay_ns, interval_ns);
  return left_ns;
}

int refuse_timer() {
  errno = EINVAL;
  return -1;
}

}  // namespace

}  // namespace hindcast::programs

using namespace hindcast::programs;

extern "C" {

unsigned hindcast_alarm(unsigned seconds) {
  return static_cast<unsigned>((set_alarm("alarm", seconds * ns_of_s, 0) + ns_of_s - 1) / ns_of_s);
}

// In whole seconds, as libc's.
useconds_t hindcast_ualarm(useconds_t us, useconds_t interval_us) {
  const std::int64_t left_ns = set_alarm("ualarm", us * ns_of_us, interval_us * ns_of_us);
  return static_cast<useconds_t>((left_ns + ns_of_s - 1) / ns_of_s);
}

int hindcast_getitimer(int which, itimerval* value) {
  const IntervalTimer* const timer = Timers::of_caller("getitimer").interval_timer(which);
  if (timer == nullptr) return refuse_timer();
  value->it_value = timeval_above(timer->left_ns());
  value->it_interval = timeval_above(timer->interval_ns());
  return 0;
}

int hindcast_setitimer(int which, const itimerval* value, itimerval* before) {
  IntervalTimer* const timer = Timers::of_caller("setitimer").interval_timer(which);
  if (timer == nullptr || !is_length_of_time(value->it_value) || !is_length_of_time(value->it_interval))
    return refuse_timer();
  const std::int64_t delay_ns = ns_of(value->it_value);
  const std::int64_t interval_ns = ns_of(value->it_interval);
  if (before != nullptr) hindcast_getitimer(which, before);
  return timer->set(delay_ns, interval_ns);
}

}  // extern "C"
