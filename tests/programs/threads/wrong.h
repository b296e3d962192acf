/* For programs that test themselves: what must hold. */
#ifndef HINDCAST_TESTS_WRONG_H
#define HINDCAST_TESTS_WRONG_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CHECK(condition)                                                     \
  do {                                                                       \
    if (!(condition)) {                                                      \
      fprintf(stderr, "%s:%d: wrong: %s\n", __FILE__, __LINE__, #condition); \
      exit(99);                                                              \
    }                                                                        \
  } while (0)
#define CHECK_IS(actual, expected)                                                                   \
  do {                                                                                               \
    const long check_a = (long)(actual), check_e = (long)(expected);                                 \
    if (check_a != check_e) {                                                                        \
      fprintf(stderr, "%s:%d: %s is %ld, not %ld\n", __FILE__, __LINE__, #actual, check_a, check_e); \
      exit(99);                                                                                      \
    }                                                                                                \
  } while (0)

/* Simulated time in microseconds. What switching takes is picoseconds. */
static inline long now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}
/* On some machines reading a clock takes a while. */
static inline void check_lasted(long us, long expected, const char* file, int line) {
  const long first = now_us(), reading = now_us() - first;
  const long difference = us < expected ? expected - us : us - expected;
  if (difference <= 6 * reading) return;
  fprintf(stderr, "%s:%d: it has taken %ld us, not %ld\n", file, line, us, expected);
  exit(99);
}
#define CHECK_LASTED(us, expected) check_lasted(us, expected, __FILE__, __LINE__)

static inline struct timespec in_us(clockid_t clock, long us) {
  struct timespec time;
  clock_gettime(clock, &time);
  const long ns = time.tv_nsec + us * 1000;
  time.tv_sec += ns / 1000000000;
  time.tv_nsec = ns % 1000000000;
  return time;
}
static inline void sleep_us(long us) {
  const struct timespec time = {us / 1000000, us % 1000000 * 1000};
  nanosleep(&time, NULL);
}

#endif
