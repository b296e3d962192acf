#include "own_library.h"

#include <stdlib.h>

int library_counter;
static int* const own = &library_counter;
static _Thread_local int thread_local_counter = 10;

extern int in_the_program(void);

int library_step(void) {
  static int steps = 100;
  ++*own;
  return ++steps + ++thread_local_counter;
}
int library_random(void) { return rand(); }
const char* library_variable(const char* name) { return getenv(name); }
int library_calls_back(void) { return in_the_program(); }
