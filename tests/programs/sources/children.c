/* What a rank starts on this computer has the rank's environment, and no other rank's. No program takes its place. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char** environ;

static int is_refused(int result) { return result == -1 && errno == ENOSYS; }

static int nothing_takes_its_place(void) {
  char* words[] = {"true", NULL};
  int terminal;
  return is_refused(execl("/bin/true", "true", (char*)NULL)) && is_refused(execlp("true", "true", (char*)NULL)) &&
         is_refused(execle("/bin/true", "true", (char*)NULL, environ)) && is_refused(execv("/bin/true", words)) &&
         is_refused(execvp("true", words)) && is_refused(execve("/bin/true", words, environ)) &&
         is_refused(execveat(AT_FDCWD, "/bin/true", words, environ, 0)) && is_refused(fork()) && is_refused(vfork()) &&
         is_refused(_Fork()) && is_refused(daemon(1, 1)) && is_refused(forkpty(&terminal, NULL, NULL, NULL));
}

int main(void) {
  char rank[16], command[64], line[32] = "";
  snprintf(rank, sizeof rank, "%d", getpid() - 1000);
  setenv("MINE", rank, 1);
  unsetenv("GIVEN");
  usleep(1);
  snprintf(command, sizeof command, "test \"$MINE\" = %s -a -z \"$GIVEN\"", rank);
  if (system(command) != 0) return 1;
  usleep(1);
  FILE* const child = popen("echo $MINE", "r");
  if (child == NULL || fgets(line, sizeof line, child) == NULL || pclose(child) != 0) return 2;
  if (strncmp(line, rank, strlen(rank)) != 0) return 3;
  clearenv();
  if (system("test -z \"$MINE\"") != 0) return 4;
  if (system(NULL) == 0) return 5;
  if (!nothing_takes_its_place()) return 6;
  printf("%s: right\n", rank);
  return 0;
}
