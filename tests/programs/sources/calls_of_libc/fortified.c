// Calls for which gcc has others in store with -D_FORTIFY_SOURCE=2 -O2: they too are the rank's.
#include <stdio.h>
#include <unistd.h>

int main(int argc, char** argv) {
  char name[64];
  (void)argv;
  gethostname(name, (size_t)argc * 64);
  dprintf(STDOUT_FILENO, "%s\n", name);
}
