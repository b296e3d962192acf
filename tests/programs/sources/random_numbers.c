/* Prints what glibc's generators give. The same program, compiled without hindcast, is the judge. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void pause_here(void) {
  if (getenv("STEPS") != NULL) usleep(1);
}

int main(void) {
  static char first[64], second[128];
  unsigned short x[3] = {1, 2, 3}, seed[3] = {4, 5, 6}, parameters[7] = {1, 2, 3, 4, 5, 6, 7};
  unsigned reentrant = 12;
  for (int i = 0; i < 40; ++i, pause_here()) printf("%d\n", rand());
  srand(42);
  for (int i = 0; i < 5; ++i, pause_here()) printf("%d %ld\n", rand(), random());
  initstate(7, first, sizeof first);
  for (int i = 0; i < 5; ++i, pause_here()) printf("%ld\n", random());
  char* const before = initstate(8, second, sizeof second);
  for (int i = 0; i < 5; ++i, pause_here()) printf("%ld\n", random());
  setstate(before);
  for (int i = 0; i < 5; ++i, pause_here()) printf("%ld\n", random());
  srandom(9);
  for (int i = 0; i < 5; ++i, pause_here()) printf("%ld %d\n", random(), rand_r(&reentrant));
  for (int i = 0; i < 3; ++i, pause_here()) printf("%a %ld %ld\n", drand48(), lrand48(), mrand48());
  for (int i = 0; i < 3; ++i, pause_here()) printf("%a %ld %ld\n", erand48(x), nrand48(x), jrand48(x));
  srand48(11);
  for (int i = 0; i < 3; ++i, pause_here()) printf("%a\n", drand48());
  const unsigned short* const old = seed48(seed);
  printf("%d %d %d\n", old[0], old[1], old[2]);
  for (int i = 0; i < 3; ++i, pause_here()) printf("%ld\n", lrand48());
  lcong48(parameters);
  for (int i = 0; i < 3; ++i, pause_here()) printf("%ld\n", mrand48());
  return 0;
}
