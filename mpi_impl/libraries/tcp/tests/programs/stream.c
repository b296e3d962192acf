/* Rank 1 sends to rank 0 over sockets with buffers of so many bytes. Prints how long it took until all had been read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <tcp.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec * 1e-3;
}

int main(int count, char** arguments) {
  if (count < 3) return 1;
  const long bytes = atol(arguments[1]);
  char* data = malloc(bytes);
  const int own = tcp_socket();
  tcp_set_buffer(own, atol(arguments[2]));
  if (tcp_host() == 1) {
    usleep(1000); /* until the other listens */
    if (tcp_connect(own, 0, 7) != 0) return 3;
    tcp_send(own, data, bytes);
    return 0;
  }
  if (tcp_listen(own, 7) != 0) return 2;
  const int other = tcp_accept(own, 0);
  const double start = now();
  for (long done = 0; done < bytes;) done += tcp_recv(other, data, bytes - done);
  printf("took %.3f\n", now() - start);
  return 0;
}
