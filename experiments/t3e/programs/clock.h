// The time of day of a program without MPI.
#include <sys/time.h>

static double now_us(void) {
  struct timeval time;
  gettimeofday(&time, NULL);
  return time.tv_sec * 1e6 + time.tv_usec;
}
