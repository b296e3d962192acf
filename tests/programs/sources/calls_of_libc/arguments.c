// argp_parse answers --version by the program's own variable, and leaves the rank alone.
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

const char* argp_program_version = "version 1.2";

static void say_last(void) { puts("last"); }

int main(int argc, char** argv) {
  struct argp parser = {0};
  atexit(say_last);
  return argp_parse(&parser, argc, argv, 0, NULL, NULL);
}
