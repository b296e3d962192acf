/* timer_create and its kin, by simulated time. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "own_copy.h"
#include "rank_interface.h"
#include "waiting_timers.h"

#define NS_PER_S 1000000000LL

struct posix_timer {
  struct waiting_timer timer; /* its number: whether it is in use */
  clockid_t clock;
  struct sigevent event;
  int overruns; /* expirations since the signal that came last, or is still to come, was sent */
  struct posix_timer* next;
};
/* One that has been deleted is used again, as its thread may still sleep. */
static struct posix_timer* timers;

static int64_t ns_of(const struct timespec* time) { return time->tv_sec * NS_PER_S + time->tv_nsec; }
static struct timespec timespec_of(int64_t ns) { return (struct timespec){ns / NS_PER_S, ns % NS_PER_S}; }
static int is_valid(const struct timespec* time) {
  return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < NS_PER_S;
}

static int fail_with(int error) {
  errno = error;
  return -1;
}

static void* call_function(void* given) {
  const struct sigevent event = *(struct sigevent*)given;
  free(given);
  event.sigev_notify_function(event.sigev_value);
  return NULL;
}

static void start_function(const struct sigevent* event) {
  struct sigevent* const given = malloc(sizeof *given);
  pthread_t thread;
  if (given == NULL) return;
  *given = *event;
  if (pthread_create(&thread, event->sigev_notify_attributes, call_function, given) != 0)
    free(given);
  else
    pthread_detach(thread);
}

/* While one signal of a timer has not been delivered there is no other, but a count of those that there were not. */
static void send_signal(struct posix_timer* timer) {
  sigset_t pending;
  sigpending(&pending);
  if (sigismember(&pending, timer->event.sigev_signo)) {
    if (timer->overruns < DELAYTIMER_MAX) ++timer->overruns;
    return;
  }
  timer->overruns = 0;
  sigqueue(getpid(), timer->event.sigev_signo, timer->event.sigev_value);
}

static void tell(struct waiting_timer* waiting) {
  struct posix_timer* const timer = (struct posix_timer*)waiting;
  const struct sigevent* const event = &timer->event;
  if (event->sigev_notify == SIGEV_SIGNAL) send_signal(timer);
  if (event->sigev_notify == SIGEV_THREAD) start_function(event);
}

static struct posix_timer* unused_timer(void) {
  struct posix_timer* timer = timers;
  while (timer != NULL && timer->timer.number != 0) timer = timer->next;
  if (timer != NULL) return timer;
  timer = calloc(1, sizeof *timer);
  if (timer == NULL) return NULL;
  timer->next = timers;
  timers = timer;
  return timer;
}

OWN_COPY int timer_create(clockid_t clock, struct sigevent* restrict event, timer_t* restrict made) {
  struct timespec now;
  if (clock_gettime(clock, &now) != 0) return -1;
  struct posix_timer* const timer = unused_timer();
  if (timer == NULL) return fail_with(EAGAIN);
  timer->timer.tell = tell;
  timer->timer.number = 1;
  timer->clock = clock;
  timer->overruns = 0;
  memset(&timer->event, 0, sizeof timer->event);
  timer->event.sigev_notify = SIGEV_SIGNAL;
  timer->event.sigev_signo = SIGALRM;
  timer->event.sigev_value.sival_ptr = timer;
  if (event != NULL) timer->event = *event;
  *made = timer;
  return 0;
}

OWN_COPY int timer_delete(timer_t made) {
  struct posix_timer* const timer = made;
  set_timer(&timer->timer, 0, 0);
  timer->timer.number = 0;
  return 0;
}

OWN_COPY int timer_gettime(timer_t made, struct itimerspec* value) {
  const struct posix_timer* const timer = made;
  value->it_value = timespec_of(time_left_ns(&timer->timer));
  value->it_interval = timespec_of(timer->timer.interval_ns);
  return 0;
}

OWN_COPY int timer_settime(timer_t made, int flags, const struct itimerspec* restrict value,
                           struct itimerspec* restrict before) {
  struct posix_timer* const timer = made;
  if (!is_valid(&value->it_value) || !is_valid(&value->it_interval)) return fail_with(EINVAL);
  if (before != NULL) timer_gettime(made, before);
  int64_t delay_ns = ns_of(&value->it_value);
  if ((flags & TIMER_ABSTIME) != 0 && delay_ns > 0) {
    struct timespec now;
    clock_gettime(timer->clock, &now);
    delay_ns = delay_ns > ns_of(&now) ? delay_ns - ns_of(&now) : 1;
  }
  return set_timer(&timer->timer, delay_ns, ns_of(&value->it_interval));
}

OWN_COPY int timer_getoverrun(timer_t made) { return ((const struct posix_timer*)made)->overruns; }

OFFER(timer_create);
OFFER(timer_delete);
OFFER(timer_gettime);
OFFER(timer_settime);
OFFER(timer_getoverrun);
