/* Bytes back and forth over a connection between two hosts; half a round, mean of 100. The argument is how many there
 * are; of none one goes, as nobody could tell that it has come. */
#include <stdio.h>
#include <stdlib.h>
#include <tcp.h>
#include <unistd.h>

#include "clock.h"

enum { ROUNDS = 100, PORT = 7 };

static void receive(int socket, char* data, long bytes) {
  for (long done = 0; done < bytes;) done += tcp_recv(socket, data + done, bytes - done);
}

int main(int argc, char** argv) {
  const long asked = argc > 1 ? atol(argv[1]) : 0, bytes = asked > 0 ? asked : 1;
  char* data = calloc((size_t)bytes, 1);
  int socket = tcp_socket();
  if (tcp_host() == 1) {
    tcp_listen(socket, PORT);
    socket = tcp_accept(socket, NULL);
  } else {
    usleep(1000); /* until the other listens */
    if (tcp_connect(socket, 1, PORT) != 0) return 1;
  }
  const double start = now_us();
  for (int round = 0; round < ROUNDS; ++round) {
    if (tcp_host() == 0) tcp_send(socket, data, bytes);
    receive(socket, data, bytes);
    if (tcp_host() == 1) tcp_send(socket, data, bytes);
  }
  if (tcp_host() == 0) printf("bytes,time_us\n%ld,%.6f\n", asked, (now_us() - start) / (2 * ROUNDS));
  free(data);
  return 0;
}
