// What warn, error and their kin say, and that err leaves the rank alone, with its own handlers.
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdio.h>
#include <stdlib.h>

static void say_last(void) { puts("last"); }

int main(void) {
  atexit(say_last);
  warnx("number %d", 3);
  error(0, ENOENT, "file");
  printf("%u\n", error_message_count);
  errno = EPERM;
  err(3, "end");
}
