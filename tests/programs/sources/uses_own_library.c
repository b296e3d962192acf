#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "own_library.h"

static int called;
int in_the_program(void) { return ++called; }

int main(void) {
  const int rank = getpid() - 1000;
  char text[16];
  snprintf(text, sizeof text, "%d", rank);
  setenv("WHO", text, 1);
  srand((unsigned)rank + 1);
  const int first = rand();
  srand((unsigned)rank + 1);
  int last = 0;
  for (int step = 0; step <= rank; ++step) {
    last = library_step();
    library_calls_back();
    usleep(1);
  }
  if (last != 110 + 2 * (rank + 1)) return 1;
  if (library_counter != rank + 1) return 2;
  if (called != rank + 1) return 3;
  if (strcmp(library_variable("WHO"), text) != 0) return 4;
  if (library_random() != first) return 5;
  printf("%d: right\n", rank);
  return 0;
}
