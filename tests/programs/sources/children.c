/* What a rank starts on this computer has the rank's environment, and no other rank's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
  printf("%s: right\n", rank);
  return 0;
}
