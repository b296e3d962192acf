// Clocks that show simulated time, and sleep that takes it.
#include <sched.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <threads.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <ctime>

#include "simulator/programs/clocks/simulated_clocks.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"

namespace hindcast::programs {

namespace {

constexpr std::int64_t epoch_ns = HINDCAST_EPOCH_S * ns_of_s;

timeval timeval_of(std::int64_t ns) { return {ns / ns_of_s, ns % ns_of_s / 1000}; }

int fail_to_tell(int error) {
  errno = error;
  return -1;
}

bool is_on_calendar(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}
bool is_since_start(clockid_t clock) {
  return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_MONOTONIC_COARSE ||
         clock == CLOCK_BOOTTIME || clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
}
bool is_clock(clockid_t clock) { return is_on_calendar(clock) || is_since_start(clock); }

std::int64_t begin_of(clockid_t clock) { return is_on_calendar(clock) ? epoch_ns : 0; }

}  // namespace

}  // namespace hindcast::programs

using namespace hindcast::programs;

extern "C" {

int hindcast_clock_gettime(clockid_t clock, timespec* time) {
  if (!is_clock(clock)) return fail_to_tell(EINVAL);
  *time = timespec_of_ns(read_clock_ns() + begin_of(clock));
  return 0;
}

int hindcast_clock_getres(clockid_t clock, timespec* resolution) {
  if (!is_clock(clock)) return fail_to_tell(EINVAL);
  if (resolution != nullptr) *resolution = timespec_of_ns(1);
  return 0;
}

int hindcast_clock_settime(clockid_t, const timespec*) { return fail_to_tell(EPERM); }

int hindcast_timespec_get(timespec* time, int base) {
  if (base != TIME_UTC) return 0;
  hindcast_clock_gettime(CLOCK_REALTIME, time);
  return base;
}

int hindcast_gettimeofday(timeval* time, struct timezone* zone) {
  *time = timeval_of(read_clock_ns() + epoch_ns);
  if (zone != nullptr) *zone = {};
  return 0;
}

time_t hindcast_time(time_t* result) {
  const time_t now = (read_clock_ns() + epoch_ns) / ns_of_s;
  if (result != nullptr) *result = now;
  return now;
}

// The processor is the rank's alone, and is taken to work all the time.
clock_t hindcast_clock() { return read_clock_ns() / (ns_of_s / CLOCKS_PER_SEC); }

clock_t hindcast_times(tms* used) {
  const clock_t ticks = read_clock_ns() / (ns_of_s / sysconf(_SC_CLK_TCK));
  if (used != nullptr) *used = {ticks, 0, 0, 0};
  return ticks;
}

int hindcast_getrusage(int who, rusage* used) {
  *used = {};
  if (who != RUSAGE_CHILDREN) used->ru_utime = timeval_of(read_clock_ns());
  return 0;
}

unsigned hindcast_sleep(unsigned seconds) { return static_cast<unsigned>(sleep_ns(seconds * ns_of_s) / ns_of_s); }

int hindcast_usleep(useconds_t us) { return sleep_ns(us * 1000LL) == 0 ? 0 : fail_to_tell(EINTR); }

int hindcast_clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
  if (!is_length_of_time(*time) || !is_clock(clock)) return EINVAL;
  const bool is_absolute = (flags & TIMER_ABSTIME) != 0;
  std::int64_t duration = ns_of(*time);
  if (is_absolute) duration -= read_clock_ns() + begin_of(clock);
  const std::int64_t left_ns = sleep_ns(duration);
  if (!is_absolute && left != nullptr) *left = timespec_of_ns(left_ns);
  return left_ns == 0 ? 0 : EINTR;
}

int hindcast_nanosleep(const timespec* time, timespec* left) {
  const int error = hindcast_clock_nanosleep(CLOCK_REALTIME, 0, time, left);
  return error == 0 ? 0 : fail_to_tell(error);
}

int hindcast_thrd_sleep(const timespec* time, timespec* left) {
  const int error = hindcast_clock_nanosleep(CLOCK_REALTIME, 0, time, left);
  return error == 0 ? 0 : error == EINTR ? -1 : -2;
}

int hindcast_sched_yield() {
  yield();
  return 0;
}
void hindcast_thrd_yield() { yield(); }

}  // extern "C"
