/* Prints what clocks say, in ns since the start, and what the rank takes itself to be. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "hindcast.h"

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(void) {
  printf("start %lld\n", now());
  sleep(2);
  printf("sleep %lld\n", now());
  usleep(3);
  printf("usleep %lld\n", now());
  const struct timespec some = {0, 500}, until = {3, 0}, never = {0, 1000000000};
  nanosleep(&some, NULL);
  printf("nanosleep %lld\n", now());
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
  printf("until %lld\n", now());
  const int refused = nanosleep(&never, NULL);
  printf("refused %d %d\n", refused, errno == EINVAL);
  struct timeval interval = {0, 20};
  select(0, NULL, NULL, NULL, &interval);
  printf("select %lld\n", now());
  poll(NULL, 0, 1);
  printf("poll %lld\n", now());
  sched_yield();
  printf("yield %lld\n", now());
  hindcast_compute_seconds(0.25);
  printf("seconds %lld\n", now());
  hindcast_compute_flops(1e6);
  printf("flops %lld\n", now());
  hindcast_compute_bytes(1e6);
  printf("bytes %lld\n", now());
  struct timeval day;
  gettimeofday(&day, NULL);
  printf("date %ld %ld\n", (long)day.tv_sec, (long)time(NULL));
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  printf("used %ld s, clock %ld ms, ticks %ld\n", (long)used.ru_utime.tv_sec, (long)clock() / 1000, (long)times(NULL));
  char host[64];
  struct utsname system;
  gethostname(host, sizeof host);
  uname(&system);
  printf("%s %s %d %d\n", host, system.nodename, getpid(), getppid());
  return 0;
}
