/* Prints where it is, goes into the directory given for its rank, and writes a file there, the others in between. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const int rank = getpid() - 1000;
  char here[4096], name[32];
  usleep(10u * (unsigned)rank);
  printf("%d starts in %s\n", rank, getcwd(here, sizeof here));
  usleep(1000);
  if (argc > rank + 1) {
    if (chdir(argv[rank + 1]) != 0) printf("%d: %s\n", rank, strerror(errno));
    usleep(1000);
    snprintf(name, sizeof name, "written-by-%d", rank);
    FILE* const file = fopen(name, "w");
    fprintf(file, "%d\n", rank);
    fclose(file);
    const int up = open("..", O_RDONLY | O_DIRECTORY);
    usleep(1000);
    if (fchdir(up) != 0) return 1;
    close(up);
    usleep(1000);
  }
  printf("%d ends in %s\n", rank, getcwd(here, sizeof here));
  return 0;
}
