/* Echoes its standard input, by stdio and then by read. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const int rank = getpid() - 1000;
  char line[256];
  int lines = 0;
  if (argc > 1 && strcmp(argv[1], "read") == 0) {
    const long count = read(0, line, sizeof line);
    printf("rank %d read %ld\n", rank, count);
    return 0;
  }
  printf("before input");
  while (fgets(line, sizeof line, stdin) != NULL) {
    ++lines;
    printf("rank %d: %s", rank, line);
  }
  printf("rank %d: %d lines, end %d\n", rank, lines, feof(stdin) != 0);
  return 0;
}
