/* timerfd_create and its kin: a counter of events, which a timer of simulated time counts on. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "own_copy.h"
#include "rank_interface.h"
#include "waiting_timers.h"

#define NS_PER_S 1000000000LL

struct descriptor_timer {
  struct waiting_timer timer; /* its number is the descriptor */
  clockid_t clock;
  struct descriptor_timer* next;
};
/* Those of closed descriptors, with the number -1, are used again: their threads may still sleep. */
static struct descriptor_timer* timers;

static int fail_with(int error) {
  errno = error;
  return -1;
}

static struct descriptor_timer* timer_of(int descriptor) {
  struct descriptor_timer* timer = timers;
  while (timer != NULL && timer->timer.number != descriptor) timer = timer->next;
  return timer;
}

static void count(struct waiting_timer* timer) { eventfd_write(timer->number, 1); }

OWN_COPY int timerfd_create(clockid_t clock, int flags) {
  const int descriptor = eventfd(0, flags);
  if (descriptor < 0) return -1;
  struct descriptor_timer* timer = timer_of(-1);
  if (timer == NULL) {
    timer = calloc(1, sizeof *timer);
    if (timer == NULL) return fail_with(ENOMEM);
    timer->next = timers;
    timers = timer;
  }
  set_timer(&timer->timer, 0, 0);
  timer->timer.tell = count;
  timer->timer.number = descriptor;
  timer->clock = clock;
  return descriptor;
}

void forget_timer_of(int descriptor) {
  struct descriptor_timer* const timer = timer_of(descriptor);
  if (timer == NULL) return;
  set_timer(&timer->timer, 0, 0);
  timer->timer.number = -1;
}

static int64_t ns_of(const struct timespec* time) { return time->tv_sec * NS_PER_S + time->tv_nsec; }
static struct timespec timespec_of(int64_t ns) { return (struct timespec){ns / NS_PER_S, ns % NS_PER_S}; }

/* Of what is no timer. */
static int refuse(int descriptor) { return fail_with(fcntl(descriptor, F_GETFD) < 0 ? EBADF : EINVAL); }

OWN_COPY int timerfd_gettime(int descriptor, struct itimerspec* value) {
  const struct descriptor_timer* const timer = timer_of(descriptor);
  if (timer == NULL) return refuse(descriptor);
  value->it_value = timespec_of(time_left_ns(&timer->timer));
  value->it_interval = timespec_of(timer->timer.interval_ns);
  return 0;
}

/* What it has counted so far is forgotten. */
static void clear(int descriptor) {
  struct pollfd one = {.fd = descriptor, .events = POLLIN};
  eventfd_t counted;
  if (poll(&one, 1, 0) > 0) eventfd_read(descriptor, &counted);
}

OWN_COPY int timerfd_settime(int descriptor, int flags, const struct itimerspec* value, struct itimerspec* before) {
  struct descriptor_timer* const timer = timer_of(descriptor);
  if (timer == NULL) return refuse(descriptor);
  if (before != NULL) timerfd_gettime(descriptor, before);
  int64_t delay_ns = ns_of(&value->it_value);
  if ((flags & TFD_TIMER_ABSTIME) != 0 && delay_ns > 0) {
    struct timespec now;
    if (clock_gettime(timer->clock, &now) != 0) return -1;
    delay_ns -= ns_of(&now);
    if (delay_ns <= 0) delay_ns = 1;
  }
  clear(descriptor);
  return set_timer(&timer->timer, delay_ns, ns_of(&value->it_interval));
}

OFFER(timerfd_create);
OFFER(timerfd_gettime);
OFFER(timerfd_settime);
