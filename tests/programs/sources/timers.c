/* Each rank sets timers, which send it signals when its simulated time has come so far. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t rings;
static double rang_at;

static void ring(int signal) {
  (void)signal;
  ++rings;
  rang_at = MPI_Wtime();
}

static void expect(int is_so, const char* what) {
  if (!is_so) {
    fprintf(stderr, "not so: %s\n", what);
    exit(1);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  signal(SIGALRM, ring);
  const double begin = MPI_Wtime();
  alarm(2);
  sleep(1);
  expect(rings == 0, "it does not ring too soon");
  expect(alarm(5) == 1, "what was left of the first");
  expect(sleep(6) <= 1, "what is left of a sleep that it ends");
  expect(rings == 1 && rang_at - begin > 5.99 && rang_at - begin < 6.01, "only the second rings");
  alarm(1);
  pause();
  expect(rings == 2, "pause ends when it rings");
  alarm(1);
  alarm(0);
  sleep(2);
  expect(rings == 2, "it has been taken back");
  const struct itimerval often = {{0, 1000}, {0, 500}}, never = {{0, 0}, {0, 0}};
  struct itimerval was;
  setitimer(ITIMER_REAL, &often, NULL);
  while (rings < 12) usleep(10200);
  setitimer(ITIMER_REAL, &never, &was);
  expect(rings == 12 && was.it_interval.tv_usec == 1000 && was.it_value.tv_usec > 0, "it rings ten times");
  MPI_Barrier(MPI_COMM_WORLD);
  if (argc > 1 && strcmp(argv[1], "die") == 0) {
    signal(SIGALRM, SIG_DFL);
    alarm(1);
    sleep(3);
  }
  alarm(1000); /* nobody waits for it */
  printf("ended at %.1f s\n", MPI_Wtime() - begin);
  MPI_Finalize();
  return 0;
}
