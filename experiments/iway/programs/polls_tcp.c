/* So many calls of select on a socket that nobody has connected to; the mean of them. The argument is how many. */
#include <stdio.h>
#include <stdlib.h>
#include <tcp.h>

#include "clock.h"

int main(int argc, char** argv) {
  const int polls = argc > 1 ? atoi(argv[1]) : 1;
  if (tcp_host() != 0) return 0;
  const int socket = tcp_socket();
  if (tcp_listen(socket, 7) == TCP_FAILED) return 1;
  const double start = now_us();
  for (int i = 0; i < polls; ++i) {
    int is_ready = 0;
    if (tcp_select(1, &socket, &is_ready, 0) != 0) return 1;
  }
  printf("polls,time_us\n%d,%.6f\n", polls, (now_us() - start) / polls);
  tcp_close(socket);
  return 0;
}
