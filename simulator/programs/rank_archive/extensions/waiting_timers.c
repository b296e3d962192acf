/* Waiting for a timer's time. */
#include "waiting_timers.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "rank_interface.h"

static void wait_and_tell(struct waiting_timer* timer) {
  const uintptr_t mine = timer->times_set;
  while (timer->times_set == mine && timer->due_ns != 0) {
    const int64_t left_ns = timer->due_ns - hindcast_rank_clock_ns();
    if (left_ns > 0) {
      hindcast_rank_sleep_ns(left_ns);
      continue;
    }
    timer->due_ns = timer->interval_ns > 0 ? timer->due_ns + timer->interval_ns : 0;
    timer->tell(timer);
  }
}

/* Signals are for the program's threads. */
static void* run_timer(void* timer) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  wait_and_tell(timer);
  return NULL;
}

int64_t time_left_ns(const struct waiting_timer* timer) {
  if (timer->due_ns == 0) return 0;
  const int64_t left_ns = timer->due_ns - hindcast_rank_clock_ns();
  return left_ns > 0 ? left_ns : 1;
}

int set_timer(struct waiting_timer* timer, int64_t delay_ns, int64_t interval_ns) {
  ++timer->times_set;
  timer->due_ns = delay_ns > 0 ? hindcast_rank_clock_ns() + delay_ns : 0;
  timer->interval_ns = interval_ns;
  if (delay_ns <= 0) return 0;
  pthread_t thread;
  errno = pthread_create(&thread, NULL, run_timer, timer);
  if (errno != 0) return -1;
  return pthread_detach(thread);
}
