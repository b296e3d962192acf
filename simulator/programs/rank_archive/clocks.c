/* Clocks that show simulated time, and sleep that takes it. */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "own_copy.h"
#include "rank_interface.h"

#define NS_PER_S 1000000000LL

static const int64_t epoch_ns = HINDCAST_EPOCH_S * NS_PER_S;

static struct timespec timespec_of(int64_t ns) { return (struct timespec){ns / NS_PER_S, ns % NS_PER_S}; }
static struct timeval timeval_of(int64_t ns) { return (struct timeval){ns / NS_PER_S, ns % NS_PER_S / 1000}; }
static int64_t ns_of(const struct timespec* time) { return time->tv_sec * NS_PER_S + time->tv_nsec; }

static int fail(int error) {
  errno = error;
  return -1;
}

static int is_on_calendar(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}
static int is_since_start(clockid_t clock) {
  return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_MONOTONIC_COARSE ||
         clock == CLOCK_BOOTTIME || clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
}

OWN_COPY int clock_gettime(clockid_t clock, struct timespec* time) {
  if (!is_on_calendar(clock) && !is_since_start(clock)) return fail(EINVAL);
  *time = timespec_of(hindcast_rank_clock_ns() + (is_on_calendar(clock) ? epoch_ns : 0));
  return 0;
}

OWN_COPY int clock_getres(clockid_t clock, struct timespec* resolution) {
  if (!is_on_calendar(clock) && !is_since_start(clock)) return fail(EINVAL);
  if (resolution != NULL) *resolution = timespec_of(1);
  return 0;
}

OWN_COPY int clock_settime(clockid_t clock, const struct timespec* time) {
  (void)clock;
  (void)time;
  return fail(EPERM);
}

OWN_COPY int timespec_get(struct timespec* time, int base) {
  if (base != TIME_UTC) return 0;
  clock_gettime(CLOCK_REALTIME, time);
  return base;
}

OWN_COPY int gettimeofday(struct timeval* restrict time, void* restrict zone) {
  *time = timeval_of(hindcast_rank_clock_ns() + epoch_ns);
  if (zone != NULL) memset(zone, 0, sizeof(struct timezone));
  return 0;
}

OWN_COPY time_t time(time_t* result) {
  const time_t now = (hindcast_rank_clock_ns() + epoch_ns) / NS_PER_S;
  if (result != NULL) *result = now;
  return now;
}

/* The processor is the rank's alone, and is taken to work all the time. */
OWN_COPY clock_t clock(void) { return hindcast_rank_clock_ns() / (NS_PER_S / CLOCKS_PER_SEC); }

OWN_COPY clock_t times(struct tms* used) {
  const clock_t ticks = hindcast_rank_clock_ns() / (NS_PER_S / sysconf(_SC_CLK_TCK));
  if (used != NULL) *used = (struct tms){.tms_utime = ticks};
  return ticks;
}

OWN_COPY int getrusage(__rusage_who_t who, struct rusage* used) {
  memset(used, 0, sizeof *used);
  if (who != RUSAGE_CHILDREN) used->ru_utime = timeval_of(hindcast_rank_clock_ns());
  return 0;
}

OWN_COPY unsigned sleep(unsigned seconds) { return (unsigned)(hindcast_rank_sleep_ns(seconds * NS_PER_S) / NS_PER_S); }

OWN_COPY int usleep(useconds_t us) { return hindcast_rank_sleep_ns(us * 1000LL) == 0 ? 0 : fail(EINTR); }

static int is_valid(const struct timespec* time) {
  return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < NS_PER_S;
}

OWN_COPY int clock_nanosleep(clockid_t clock, int flags, const struct timespec* time, struct timespec* left) {
  if (!is_valid(time) || (!is_on_calendar(clock) && !is_since_start(clock))) return EINVAL;
  int64_t duration = ns_of(time);
  if ((flags & TIMER_ABSTIME) != 0) duration -= hindcast_rank_clock_ns() + (is_on_calendar(clock) ? epoch_ns : 0);
  const int64_t left_ns = hindcast_rank_sleep_ns(duration);
  if ((flags & TIMER_ABSTIME) == 0 && left != NULL) *left = timespec_of(left_ns);
  return left_ns == 0 ? 0 : EINTR;
}

OWN_COPY int nanosleep(const struct timespec* time, struct timespec* left) {
  const int error = clock_nanosleep(CLOCK_REALTIME, 0, time, left);
  return error == 0 ? 0 : fail(error);
}

OWN_COPY int thrd_sleep(const struct timespec* time, struct timespec* left) {
  const int error = clock_nanosleep(CLOCK_REALTIME, 0, time, left);
  return error == 0 ? 0 : error == EINTR ? -1 : -2;
}

OWN_COPY int sched_yield(void) {
  hindcast_rank_yield();
  return 0;
}
OWN_COPY void thrd_yield(void) { hindcast_rank_yield(); }

OFFER(clock_gettime);
OFFER(clock_getres);
OFFER(clock_settime);
OFFER(timespec_get);
OFFER(gettimeofday);
OFFER(time);
OFFER(clock);
OFFER(times);
OFFER(getrusage);
OFFER(sleep);
OFFER(usleep);
OFFER(clock_nanosleep);
OFFER(nanosleep);
OFFER(thrd_sleep);
OFFER(sched_yield);
OFFER(thrd_yield);
