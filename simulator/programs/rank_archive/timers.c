/* Timers that send a signal when simulated time has come so far: a thread of the rank's own waits for each. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/time.h>
#include <unistd.h>

#include "own_copy.h"
#include "rank_interface.h"

#define NS_PER_US 1000LL
#define NS_PER_S 1000000000LL

/* By ITIMER_REAL, ITIMER_VIRTUAL and ITIMER_PROF. The processor is taken to work all the time. */
static struct timer {
  int signal;
  int64_t due_ns; /* 0: it does not run */
  int64_t interval_ns;
  uintptr_t times_set; /* a thread that waits for what it has been set to before does nothing */
} timers[] = {{SIGALRM, 0, 0, 0}, {SIGVTALRM, 0, 0, 0}, {SIGPROF, 0, 0, 0}};
#define TIMERS 3

static void wait_and_send(struct timer* timer) {
  const uintptr_t mine = timer->times_set;
  while (timer->times_set == mine && timer->due_ns != 0) {
    const int64_t left_ns = timer->due_ns - hindcast_rank_clock_ns();
    if (left_ns > 0) {
      hindcast_rank_sleep_ns(left_ns);
      continue;
    }
    timer->due_ns = timer->interval_ns > 0 ? timer->due_ns + timer->interval_ns : 0;
    kill(getpid(), timer->signal);
  }
}

/* Signals are for the program's threads. */
static void* run_timer(void* timer) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  wait_and_send(timer);
  return NULL;
}

static int64_t left_ns_of(const struct timer* timer) {
  if (timer->due_ns == 0) return 0;
  const int64_t left_ns = timer->due_ns - hindcast_rank_clock_ns();
  return left_ns > 0 ? left_ns : 1;
}

static int set(struct timer* timer, int64_t delay_ns, int64_t interval_ns) {
  ++timer->times_set;
  timer->due_ns = delay_ns > 0 ? hindcast_rank_clock_ns() + delay_ns : 0;
  timer->interval_ns = interval_ns;
  if (delay_ns <= 0) return 0;
  pthread_t thread;
  errno = pthread_create(&thread, NULL, run_timer, timer);
  if (errno != 0) return -1;
  return pthread_detach(thread);
}

static struct timeval timeval_of(int64_t ns) {
  const int64_t us = (ns + NS_PER_US - 1) / NS_PER_US;
  return (struct timeval){us / 1000000, us % 1000000};
}
static int64_t ns_of(const struct timeval* time) { return time->tv_sec * NS_PER_S + time->tv_usec * NS_PER_US; }
static int is_valid(const struct timeval* time) {
  return time->tv_sec >= 0 && time->tv_usec >= 0 && time->tv_usec < 1000000;
}

OWN_COPY unsigned alarm(unsigned seconds) {
  const int64_t left_ns = left_ns_of(&timers[ITIMER_REAL]);
  set(&timers[ITIMER_REAL], seconds * NS_PER_S, 0);
  return (unsigned)((left_ns + NS_PER_S - 1) / NS_PER_S);
}

OWN_COPY useconds_t ualarm(useconds_t us, useconds_t interval_us) {
  const int64_t left_ns = left_ns_of(&timers[ITIMER_REAL]);
  set(&timers[ITIMER_REAL], us * NS_PER_US, interval_us * NS_PER_US);
  return (useconds_t)((left_ns + NS_PER_US - 1) / NS_PER_US);
}

OWN_COPY int getitimer(__itimer_which_t which, struct itimerval* value) {
  if ((unsigned)which >= TIMERS) {
    errno = EINVAL;
    return -1;
  }
  value->it_value = timeval_of(left_ns_of(&timers[which]));
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
  return set(&timers[which], ns_of(&value->it_value), ns_of(&value->it_interval));
}

OFFER(alarm);
OFFER(ualarm);
OFFER(getitimer);
OFFER(setitimer);
