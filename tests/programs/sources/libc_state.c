/* strtok, the environment and stdio's streams are each rank's own. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern char** environ;

static int check(int right, const char* what) {
  if (!right) printf("wrong: %s\n", what);
  return !right;
}

int main(int argc, char** argv) {
  const int rank = getpid() - 1000;
  int wrong = 0;
  char words[64], value[16];
  snprintf(words, sizeof words, "a%d b%d c%d", rank, rank, rank);
  const char* word = strtok(words, " ");
  for (char letter = 'a'; letter <= 'c'; ++letter) {
    char expected[16];
    snprintf(expected, sizeof expected, "%c%d", letter, rank);
    wrong += check(word != NULL && strcmp(word, expected) == 0, "strtok");
    usleep(1);
    word = strtok(NULL, " ");
  }

  snprintf(value, sizeof value, "%d", rank);
  wrong += check(strcmp(getenv("GIVEN"), "to all") == 0, "inherited variable");
  wrong += check(setenv("MINE", value, 1) == 0 && setenv("MINE", "not", 0) == 0, "setenv");
  char put[32];
  snprintf(put, sizeof put, "PUT=%d", rank);
  putenv(put);
  if (rank % 2 == 1) unsetenv("GIVEN");
  usleep(1);
  wrong += check(strcmp(getenv("MINE"), value) == 0, "own variable");
  wrong += check(strcmp(getenv("PUT"), value) == 0, "putenv");
  wrong += check((getenv("GIVEN") == NULL) == (rank % 2 == 1), "unsetenv");
  int in_list = 0;
  for (char** variable = environ; *variable != NULL; ++variable) in_list += strcmp(*variable, put) == 0;
  wrong += check(in_list == 1, "environ");
  usleep(1);
  clearenv();
  wrong += check(getenv("MINE") == NULL, "clearenv");
  wrong += check(setenv("", "x", 1) == -1 && setenv("a=b", "x", 1) == -1, "refused names");

  argv[1][0] = (char)('0' + rank);  // the strings and the list are the rank's own too
  usleep(1);
  wrong += check(argc == 2 && argv[1][0] == '0' + rank && strcmp(argv[1] + 1, "arg") == 0, "arguments");
  wrong += check(strcmp(program_invocation_short_name, "libc_state") == 0, "invocation name");

  const time_t moment = 86400 * (time_t)(rank + 1);
  const struct tm* broken_down = gmtime(&moment);
  usleep(1);
  wrong += check(broken_down->tm_mday == rank + 2, "gmtime");
  wrong += check(fileno(stdin) == 0 && fileno(stdout) == 1 && fileno(stderr) == 2, "fileno");
  return wrong;
}
