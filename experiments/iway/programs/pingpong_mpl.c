/* A ping-pong in MPL's own calls between two neighbouring tasks: half a round, mean of 100. The argument is how many
 * bytes a message has. */
#include <mpl.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

enum { ROUNDS = 100 };

int main(int argc, char** argv) {
  const size_t bytes = argc > 1 ? (size_t)atol(argv[1]) : 0;
  char* data = calloc(bytes + 1, 1);
  int tasks, me, source, type = 1, length;
  mpc_environ(&tasks, &me);
  source = 1 - me;
  mpc_sync(0);
  const double start = now_us();
  for (int round = 0; round < ROUNDS; ++round) {
    if (me == 0) mpc_bsend(data, bytes, 1, 1);
    mpc_brecv(data, bytes, &source, &type, &length);
    if (me == 1) mpc_bsend(data, bytes, 0, 1);
  }
  const double took = now_us() - start;
  if (me == 0) printf("bytes,time_us\n%zu,%.6f\n", bytes, took / (2 * ROUNDS));
  free(data);
  return 0;
}
