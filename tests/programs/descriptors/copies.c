/* Copies of standard output and error, by all calls that make some and write to them. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../threads/wrong.h"

static void say_to(int descriptor, const char* text) { CHECK_IS(write(descriptor, text, strlen(text)), strlen(text)); }

int main(void) {
  const int copy = dup(STDOUT_FILENO), chosen = 77, of_copy = dup(copy);
  CHECK(copy > 2);
  CHECK_IS(dup2(STDOUT_FILENO, chosen), chosen);
  say_to(copy, "dup\n");
  say_to(of_copy, "dup of dup\n");
  CHECK(dprintf(chosen, "dup2\n") > 0);
  const int by_fcntl = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 100);
  CHECK(by_fcntl >= 100);
  say_to(by_fcntl, "fcntl\n");
  struct iovec parts[] = {{"wri", 3}, {"tev\n", 4}};
  CHECK_IS(writev(copy, parts, 2), 7);
  FILE* stream = fdopen(STDOUT_FILENO, "w");
  CHECK_IS(fileno(stream), STDOUT_FILENO);
  fprintf(stream, "fdopen\n");
  fflush(stream);
  FILE* of_chosen = fdopen(chosen, "a");
  CHECK_IS(fileno(of_chosen), chosen);
  fprintf(of_chosen, "fdopen of dup2\n");
  CHECK_IS(fclose(of_chosen), 0);
  CHECK(write(chosen, "", 0) == -1 && errno == EBADF);
  /* Standard error as a copy of standard output, and back. */
  const int error = dup(STDERR_FILENO);
  CHECK_IS(dup2(STDOUT_FILENO, STDERR_FILENO), STDERR_FILENO);
  fprintf(stderr, "stderr\n");
  CHECK_IS(dup2(error, STDERR_FILENO), STDERR_FILENO);
  fprintf(stderr, "to stderr\n");
  /* Its end is not closed by the program, but it ends. */
  fprintf(stream, "left\n");
  return 0;
}
