/* What the system tells of standard descriptors that the program has put files in the place of. */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../threads/wrong.h"

static int is_same_file(int one, int other) {
  struct stat first, second;
  CHECK_IS(fstat(one, &first), 0);
  CHECK_IS(fstat(other, &second), 0);
  return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

static void test_output(const char* name) {
  struct stat status;
  const int saved = dup(STDOUT_FILENO);
  const int file = open(name, O_CREAT | O_TRUNC | O_RDWR, 0600);
  CHECK(file > 2);
  CHECK_IS(dup2(file, STDOUT_FILENO), STDOUT_FILENO);
  CHECK(is_same_file(file, STDOUT_FILENO));
  CHECK(!is_same_file(saved, STDOUT_FILENO));
  CHECK_IS(isatty(STDOUT_FILENO), 0);
  printf("five\n");
  fflush(stdout);
  CHECK_IS(lseek(STDOUT_FILENO, 0, SEEK_CUR), 5);
  CHECK_IS(fstat(STDOUT_FILENO, &status), 0);
  CHECK_IS(status.st_size, 5);
  char text[8] = "";
  CHECK_IS(pread(STDOUT_FILENO, text, 4, 0), 4);
  CHECK(strcmp(text, "five") == 0);
  CHECK_IS(ftruncate(STDOUT_FILENO, 2), 0);
  CHECK_IS(lseek(file, 0, SEEK_END), 2);
  CHECK_IS(fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE, O_RDWR);
  const int copy = dup(STDOUT_FILENO);
  CHECK(is_same_file(file, copy));
  CHECK_IS(dup2(saved, STDOUT_FILENO), STDOUT_FILENO);
  CHECK(is_same_file(saved, STDOUT_FILENO));
  CHECK_IS(close(saved), 0);
  CHECK_IS(close(copy), 0);
  CHECK_IS(close(file), 0);
}

static void test_input(const char* name) {
  struct pollfd one = {.fd = STDIN_FILENO, .events = POLLIN};
  char text[8] = "";
  int ends[2];
  CHECK_IS(close(STDIN_FILENO), 0);
  CHECK(close(STDIN_FILENO) == -1 && errno == EBADF);
  CHECK(read(STDIN_FILENO, text, 1) == -1 && errno == EBADF);
  CHECK_IS(open(name, O_RDONLY), STDIN_FILENO); /* the lowest number */
  CHECK_IS(lseek(STDIN_FILENO, 1, SEEK_SET), 1);
  CHECK_IS(read(STDIN_FILENO, text, 4), 1);
  CHECK(strcmp(text, "i") == 0);
  CHECK_IS(pipe(ends), 0);
  CHECK_IS(close(STDIN_FILENO), 0);
  CHECK_IS(dup(ends[0]), STDIN_FILENO);
  CHECK_IS(poll(&one, 1, 0), 0);
  CHECK_IS(write(ends[1], "a line\n", 7), 7);
  CHECK_IS(poll(&one, 1, 0), 1);
  CHECK_IS(close(ends[1]), 0);
  CHECK(scanf("%7s", text) == 1 && strcmp(text, "a") == 0);
  CHECK(scanf("%7s", text) == 1 && strcmp(text, "line") == 0);
  CHECK_IS(scanf("%7s", text), EOF);
}

int main(int argc, char** argv) {
  char name[512];
  CHECK_IS(argc, 2);
  snprintf(name, sizeof name, "%s/%d", argv[1], getpid());
  test_output(name);
  test_input(name);
  puts("right");
  return 0;
}
