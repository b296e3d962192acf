/* So many looks of MPL's at whether a message has come, before it is sent; the mean of them. The argument is how many.
 */
#include <mpl.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

int main(int argc, char** argv) {
  const int polls = argc > 1 ? atoi(argv[1]) : 1;
  char byte = 0;
  int tasks, me, source, type = 1, length, message;
  mpc_environ(&tasks, &me);
  source = 1 - me;
  if (me == 0) {
    mpc_recv(&byte, 1, &source, &type, &message);
    const double start = now_us();
    for (int i = 0; i < polls; ++i)
      if (mpc_status(message) != -1) return 1;
    printf("polls,time_us\n%d,%.6f\n", polls, (now_us() - start) / polls);
    mpc_bsend(&byte, 1, 1, 1);
    mpc_wait(&message, &length);
  } else {
    mpc_brecv(&byte, 1, &source, &type, &length);
    mpc_bsend(&byte, 1, 0, 1);
  }
  return 0;
}
