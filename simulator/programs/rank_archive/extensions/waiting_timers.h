/* Timers of simulated time: a thread of the rank's own waits for each that runs. */
#ifndef HINDCAST_WAITING_TIMERS_H
#define HINDCAST_WAITING_TIMERS_H

#include <stdint.h>

struct waiting_timer {
  void (*tell)(struct waiting_timer*); /* that its time has come, on that thread */
  int number;                          /* whose it is, or what for */
  int64_t due_ns;                      /* 0: it does not run */
  int64_t interval_ns;
  uintptr_t times_set; /* a thread that waits for what it has been set to before does nothing */
};

/* After so long and then at intervals; not at all after 0. Gives 0, or -1 with errno. */
__attribute__((visibility("hidden"))) int set_timer(struct waiting_timer* timer, int64_t delay_ns, int64_t interval_ns);
__attribute__((visibility("hidden"))) int64_t time_left_ns(const struct waiting_timer* timer);
/* Of timerfd_create: the descriptor is closed. */
__attribute__((visibility("hidden"))) void forget_timer_of(int descriptor);

#endif
