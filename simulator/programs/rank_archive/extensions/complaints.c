/* err, warn, error and their kin: libc's would name the simulator's command, and end all ranks at once. */
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "own_copy.h"

extern char* program_invocation_name;
extern char* program_invocation_short_name;

OWN_COPY unsigned error_message_count = 0;
OWN_COPY int error_one_per_line = 0;
OWN_COPY void (*error_print_progname)(void) = NULL;

static void say_and(const char* format, va_list arguments, int has_error, int error) {
  fprintf(stderr, "%s: ", program_invocation_short_name);
  if (format != NULL) vfprintf(stderr, format, arguments);
  if (has_error) fprintf(stderr, "%s%s", format != NULL ? ": " : "", strerror(error));
  fputc('\n', stderr);
}

OWN_COPY void vwarn(const char* format, va_list arguments) { say_and(format, arguments, 1, errno); }
OWN_COPY void vwarnx(const char* format, va_list arguments) { say_and(format, arguments, 0, 0); }
OWN_COPY void verr(int status, const char* format, va_list arguments) {
  vwarn(format, arguments);
  exit(status);
}
OWN_COPY void verrx(int status, const char* format, va_list arguments) {
  vwarnx(format, arguments);
  exit(status);
}

OWN_COPY void warn(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vwarn(format, arguments);
  va_end(arguments);
}
OWN_COPY void warnx(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vwarnx(format, arguments);
  va_end(arguments);
}
OWN_COPY void err(int status, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  verr(status, format, arguments);
}
OWN_COPY void errx(int status, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  verrx(status, format, arguments);
}

static void begin_error(const char* after_name) {
  fflush(stdout);
  if (error_print_progname != NULL)
    error_print_progname();
  else
    fprintf(stderr, "%s:%s", program_invocation_name, after_name);
}

static void end_error(int status, int error, const char* format, va_list arguments) {
  vfprintf(stderr, format, arguments);
  ++error_message_count;
  if (error != 0) fprintf(stderr, ": %s", strerror(error));
  fputc('\n', stderr);
  if (status != 0) exit(status);
}

OWN_COPY void error(int status, int number, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  begin_error(" ");
  end_error(status, number, format, arguments);
  va_end(arguments);
}

OWN_COPY void error_at_line(int status, int number, const char* file, unsigned line, const char* format, ...) {
  static const char* last_file;
  static unsigned last_line;
  if (error_one_per_line != 0) {
    const int is_same_file = file == last_file || (file != NULL && last_file != NULL && strcmp(file, last_file) == 0);
    if (is_same_file && line == last_line) return;
    last_file = file;
    last_line = line;
  }
  va_list arguments;
  va_start(arguments, format);
  begin_error("");
  if (file != NULL)
    fprintf(stderr, "%s:%u: ", file, line);
  else
    fputc(' ', stderr);
  end_error(status, number, format, arguments);
  va_end(arguments);
}

OFFER(error_message_count);
OFFER(error_one_per_line);
OFFER(error_print_progname);
OFFER(vwarn);
OFFER(vwarnx);
OFFER(verr);
OFFER(verrx);
OFFER(warn);
OFFER(warnx);
OFFER(err);
OFFER(errx);
OFFER(error);
OFFER(error_at_line);
