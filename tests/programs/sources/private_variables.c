/* Every rank counts in variables of every kind; between the steps, under --lockstep, all the others run. */
#include <stdio.h>
#include <unistd.h>

int global_zero;
int global_set = 100;
static int file_static = 200;
_Thread_local int thread_local_zero;
static _Thread_local int thread_local_set = 300;
int* pointer_to_global = &global_set;
static int* const table[] = {&global_zero, &global_set, &file_static};

static int next(void) {
  static int function_static = 400;
  static _Thread_local int function_thread_local = 500;
  return ++function_static + ++function_thread_local;
}

int main(void) {
  const int rank = getpid() - 1000;
  int last = 0;
  for (int step = 0; step <= rank; ++step) {
    ++global_zero;
    ++*pointer_to_global;
    ++*table[2];
    ++thread_local_zero;
    ++thread_local_set;
    last = next();
    usleep(1);
  }
  const int steps = rank + 1;
  const int right = global_zero == steps && global_set == 100 + steps && file_static == 200 + steps &&
                    thread_local_zero == steps && thread_local_set == 300 + steps && last == 900 + 2 * steps &&
                    table[1] == &global_set && pointer_to_global == &global_set;
  printf("%d: %s\n", rank, right ? "right" : "wrong");
  return !right;
}
