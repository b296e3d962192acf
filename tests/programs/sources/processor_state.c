/* errno and the rounding mode are the rank's own, across switches. */
#include <errno.h>
#include <fenv.h>
#include <stdio.h>
#include <unistd.h>

static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

int main(void) {
  const int rank = getpid() - 1000;
  const int mode = modes[rank % 4];
  volatile double one = 1, three = 3;
  fesetround(mode);
  const double here = one / three;
  for (int step = 0; step < 20; ++step) {
    errno = rank + 1;
    usleep(1);
    if (errno != rank + 1) return 1;
    if (fegetround() != mode || one / three != here) return 2;
  }
  fesetround(FE_TONEAREST);
  printf("%s\n", here == one / three ? "nearest" : here > one / three ? "above" : "below");
  return 0;
}
