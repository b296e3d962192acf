/* Asks the program that opens it, and a library that it needs. */
#include <stdio.h>
#include <stdlib.h>

extern int help(void);
extern int of_program(int);
extern int in_program;

int variable = 5;
int* pointer = &variable;
int (*helper)(void) = help;
static __thread int of_thread = 20;

static void at_end(void) { printf("the library's handler finds %d\n", variable); }

__attribute__((constructor)) static void begin(int argc, char** argv) {
  printf("the library begins with %d arguments, the last is %s\n", argc, argv[argc - 1]);
  atexit(at_end);
}
__attribute__((destructor)) static void end(void) { printf("the library ends with %d\n", variable); }

int call(int number) {
  *pointer += number;
  ++in_program;
  return of_program(variable) + helper();
}

int next_of_thread(void) { return ++of_thread; }
