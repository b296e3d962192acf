/* alarm and setitimer: timers that send a signal when simulated time has come so far. */
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "extensions/waiting_timers.h"
#include "own_copy.h"

#define NS_PER_US 1000LL
#define NS_PER_S 1000000000LL

static void send_signal(struct waiting_timer* timer) { kill(getpid(), timer->number); }

/* By ITIMER_REAL, ITIMER_VIRTUAL and ITIMER_PROF. The processor is taken to work all the time. */
static struct waiting_timer timers[] = {
    {send_signal, SIGALRM, 0, 0, 0}, {send_signal, SIGVTALRM, 0, 0, 0}, {send_signal, SIGPROF, 0, 0, 0}};
#define TIMERS 3

static struct timeval timeval_of(int64_t ns) {
  const int64_t us = (ns + NS_PER_US - 1) / NS_PER_US;
  return (struct timeval){us / 1000000, us % 1000000};
}
static int64_t ns_of(const struct timeval* time) { return time->tv_sec * NS_PER_S + time->tv_usec * NS_PER_US; }
static int is_valid(const struct timeval* time) {
  return time->tv_sec >= 0 && time->tv_usec >= 0 && time->tv_usec < 1000000;
}

OWN_COPY unsigned alarm(unsigned seconds) {
  const int64_t left_ns = time_left_ns(&timers[ITIMER_REAL]);
  set_timer(&timers[ITIMER_REAL], seconds * NS_PER_S, 0);
  return (unsigned)((left_ns + NS_PER_S - 1) / NS_PER_S);
}

OWN_COPY useconds_t ualarm(useconds_t us, useconds_t interval_us) {
  const int64_t left_ns = time_left_ns(&timers[ITIMER_REAL]);
  set_timer(&timers[ITIMER_REAL], us * NS_PER_US, interval_us * NS_PER_US);
  return (useconds_t)((left_ns + NS_PER_US - 1) / NS_PER_US);
}

OWN_COPY int getitimer(__itimer_which_t which, struct itimerval* value) {
  if ((unsigned)which >= TIMERS) {
    errno = EINVAL;
    return -1;
  }
  value->it_value = timeval_of(time_left_ns(&timers[which]));
  value->it_interval = timeval_of(timers[which].interval_ns);
  return 0;
}

OWN_COPY int setitimer(__itimer_which_t which, const struct itimerval* restrict value,
                       struct itimerval* restrict before) {
  if ((unsigned)which >= TIMERS || !is_valid(&value->it_value) || !is_valid(&value->it_interval)) {
    errno = EINVAL;
    return -1;
  }
  if (before != NULL) getitimer(which, before);
  return set_timer(&timers[which], ns_of(&value->it_value), ns_of(&value->it_interval));
}

OFFER(alarm);
OFFER(ualarm);
OFFER(getitimer);
OFFER(setitimer);
