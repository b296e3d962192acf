/* What MPL's calls take, in microseconds, a line each: a name and the time. For 2 tasks. The argument is how many bytes
 * a message has. */
#include <mpl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

/* At a time that is far from everything before. */
static void wait_until(double time) {
  struct timespec rest = {0, (long)((time - now()) * 1e3)};
  nanosleep(&rest, NULL);
}

int main(int argc, char** argv) {
  const size_t bytes = argc > 1 ? (size_t)atol(argv[1]) : 0;
  char* data = calloc(bytes + 1, 1);
  int tasks, me, source = 0, type = 1, length, id;
  mpc_environ(&tasks, &me);

  /* 0 sends at 1000; 1 has posted its receive long before. */
  if (me == 0) {
    wait_until(1000);
    const double start = now();
    mpc_bsend(data, bytes, 1, 1);
    printf("bsend %.6f\n", now() - start);
    printf("sent at %.6f\n", start);
  } else {
    mpc_brecv(data, bytes, &source, &type, &length);
    printf("received at %.6f\n", now());
  }

  /* 0 sends at 50000; 1 receives at 90000, when the message has come long ago. */
  if (me == 0) {
    wait_until(50000);
    const double start = now();
    mpc_send(data, bytes, 1, 1, &id);
    printf("send %.6f\n", now() - start);
    mpc_wait(&id, &length);
  } else {
    wait_until(40000);
    double start = now();
    mpc_probe(&source, &type, &length);
    printf("probe %.6f\n", now() - start);
    wait_until(90000);
    start = now();
    mpc_brecv(data, bytes, &source, &type, &length);
    printf("brecv %.6f\n", now() - start);
  }

  /* 0 sends at 100000; 1 has posted its receive, and asks until it is there. */
  if (me == 0) {
    wait_until(100000);
    const double start = now();
    mpc_bsend(data, bytes, 1, 1);
    printf("sent at last %.6f\n", start);
  } else {
    double start = now();
    mpc_recv(data, bytes, &source, &type, &id);
    printf("recv %.6f\n", now() - start);
    wait_until(99990);
    start = now();
    int looks = 1;
    while (mpc_status(id) < 0) ++looks;
    printf("looks %d\n", looks);
    printf("looked %.6f\n", now() - start);
  }

  wait_until(200000);
  const double start = now();
  mpc_sync(0);
  printf("sync %.6f\n", now() - start);
  return 0;
}
