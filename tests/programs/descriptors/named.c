/* Files whose names mean a descriptor of the rank's: what is written to them is the rank's output. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../threads/wrong.h"

static void say_to(const char* path, const char* text) {
  const int file = open(path, O_WRONLY | O_CREAT, 0666);
  CHECK(file > STDERR_FILENO);
  CHECK_IS(write(file, text, strlen(text)), strlen(text));
  CHECK_IS(close(file), 0);
}

static void print_to(const char* path, const char* text) {
  FILE* stream = fopen(path, "w");
  CHECK(stream != NULL && fileno(stream) > STDERR_FILENO);
  CHECK(fprintf(stream, "%s\n", text) > 0);
  CHECK_IS(fclose(stream), 0);
}

int main(int argc, char** argv) {
  char text[20], path[500];
  say_to("/dev/stdout", "open\n");
  say_to("/dev/fd/1", "of a number\n");
  say_to("/proc/self/fd/1", "in proc\n");
  snprintf(path, sizeof path, "/proc/%d/fd/1", getpid());
  say_to(path, "in proc, by number\n");
  const int copy = dup(STDOUT_FILENO);
  snprintf(path, sizeof path, "/dev/fd/%d", copy);
  say_to(path, "of a copy\n");
  print_to("/dev/stdout", "fopen");
  print_to("/dev/stderr", "to stderr");
  CHECK(freopen("/dev/stdout", "w", stderr) == stderr);
  fprintf(stderr, "freopen\n");

  FILE* in = fopen("/dev/stdin", "r");
  CHECK(in != NULL);
  const int has_line = fgets(text, sizeof text, in) != NULL;
  printf("%s\n", has_line ? strtok(text, "\n") : "no line");
  CHECK_IS(fclose(in), 0);

  snprintf(path, sizeof path, "/proc/%d/statm", getpid());
  long pages = 0;
  FILE* memory = fopen(path, "r");
  CHECK(memory != NULL && fscanf(memory, "%ld", &pages) == 1 && pages > 0);
  CHECK(freopen(path, "r", memory) == memory && fscanf(memory, "%ld", &pages) == 1 && pages > 0);
  CHECK_IS(fclose(memory), 0);
  const int opened = open(path, O_RDONLY);
  CHECK(opened > STDERR_FILENO && read(opened, text, 1) == 1);
  CHECK_IS(close(opened), 0);

  /* The file that stands there now is opened once more, with a place of its own. */
  CHECK(argc == 2);
  snprintf(path, sizeof path, "%s.%d", argv[1], getpid());
  CHECK(freopen(path, "w+", stdout) == stdout);
  CHECK(fprintf(stdout, "first\n") > 0 && fflush(stdout) == 0);
  FILE* again = fopen("/dev/stdout", "r+");
  CHECK(again != NULL && fgets(text, sizeof text, again) != NULL && strcmp(text, "first\n") == 0);
  CHECK_IS(fclose(again), 0);
  CHECK_IS(close(STDOUT_FILENO), 0);
  errno = 0;
  CHECK(fopen("/dev/stdout", "w") == NULL && errno == ENOENT);
  CHECK(open("/dev/fd/x", O_RDONLY) < 0 && errno == ENOENT);
  return 0;
}
