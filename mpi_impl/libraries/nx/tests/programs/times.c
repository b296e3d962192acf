/* What NX's calls take, in microseconds, a line each: a name and the time. For 2 nodes and more, which are neighbours
 * if they are 2. The argument is how many bytes a message has. */
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>

static double now(void) { return dclock() * 1e6; }

/* Without what reading the clock takes. */
static double since(double start, double reading) { return now() - start - reading; }

/* At a time that is far from everything before. */
static void wait_until(double time) {
  while (now() < time) {
  }
}

int main(int argc, char** argv) {
  const long bytes = argc > 1 ? atol(argv[1]) : 0;
  char* data = calloc((size_t)bytes + 1, 1);
  const double first = now();
  const double reading = now() - first;

  /* 0 sends at 1000; 1 has posted its receive long before. */
  if (mynode() == 0) {
    wait_until(1000);
    const double start = now();
    csend(1, data, bytes, 1, 0);
    printf("csend %.6f\n", since(start, reading));
    printf("sent at %.6f\n", start);
  } else if (mynode() == 1) {
    crecv(1, data, bytes);
    printf("received at %.6f\n", now() - reading);
  }

  /* 0 sends at 10000; 1 receives at 20000, when the message has come long ago. */
  if (mynode() == 0) {
    wait_until(10000);
    const double start = now();
    const long id = isend(2, data, bytes, 1, 0);
    printf("isend %.6f\n", since(start, reading));
    msgwait(id);
  } else if (mynode() == 1) {
    wait_until(15000);
    double start = now();
    iprobe(3);
    printf("iprobe %.6f\n", since(start, reading));
    wait_until(20000);
    start = now();
    crecv(2, data, bytes);
    printf("crecv %.6f\n", since(start, reading));
  }

  /* All nodes come to the barrier one after the other, the last one at 40000 and a reading of the clock. */
  wait_until(30000);
  if (mynode() == numnodes() - 1) wait_until(40000);
  const double start = now();
  gsync();
  if (mynode() == numnodes() - 1) printf("gsync %.6f\n", since(start, reading));
  return 0;
}
