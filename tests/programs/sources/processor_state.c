/* errno, the rounding mode and the flags of arithmetic are the rank's own, across switches and from its start. */
#include <errno.h>
#include <fenv.h>
#include <stdio.h>
#include <unistd.h>

static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

int main(void) {
  const int rank = getpid() - 1000;
  const int mode = modes[rank % 4], keeps_flags = rank % 2 == 0;
  volatile double one = 1, three = 3;
  if (fetestexcept(FE_ALL_EXCEPT) != 0 || fegetround() != FE_TONEAREST) return 3;
  fesetround(mode);
  const double here = one / three;
  for (int step = 0; step < 20; ++step) {
    errno = rank + 1;
    if (!keeps_flags) feclearexcept(FE_ALL_EXCEPT);
    usleep(1);
    if (errno != rank + 1) return 1;
    if (fetestexcept(FE_ALL_EXCEPT) != (keeps_flags ? FE_INEXACT : 0)) return 4;
    if (fegetround() != mode || one / three != here) return 2;
  }
  fesetround(FE_TONEAREST);
  printf("%s\n", here == one / three ? "nearest" : here > one / three ? "above" : "below");
  return 0;
}
