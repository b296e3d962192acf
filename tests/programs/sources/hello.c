#include <stdio.h>
#include <unistd.h>

int main(int argc, char** argv) {
  char host[64];
  gethostname(host, sizeof host);
  printf("rank %d on %s:", getpid() - 1000, host);
  for (int i = 1; i < argc; ++i) printf(" %s", argv[i]);
  printf("\n");
  return 0;
}
