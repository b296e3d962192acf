/* Two hosts: what calls take, and the window's bound. Prints times in us. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tcp.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec * 1e-3;
}

static void receive_all(int socket, char* data, long bytes) {
  for (long done = 0; done < bytes;) {
    long got = tcp_recv(socket, data + done, bytes - done);
    if (got <= 0) exit(1);
    done += got;
  }
}

int main(int count, char** arguments) {
  const long bytes = count > 1 ? atol(arguments[1]) : 1;
  const long buffer = count > 2 ? atol(arguments[2]) : 0;
  char* data = malloc(bytes);
  const int own = tcp_socket();
  if (buffer > 0) tcp_set_buffer(own, buffer);
  if (tcp_host() == 0) {
    tcp_listen(own, 7);
    int from;
    const int other = tcp_accept(own, &from);
    receive_all(other, data, bytes);
    for (long i = 0; i < bytes; ++i)
      if (data[i] != (char)(i % 251)) return 2;
    tcp_send(other, data, bytes);
    if (tcp_recv(other, data, 1) != 0) return 3; /* the end */
    printf("from %d, %ld B of buffer\n", from, tcp_buffer(other));
  } else {
    while (now() < 1000)
      ; /* until the other listens */
    const double start = now();
    if (tcp_connect(own, 0, 7) != 0) return 4;
    const double connected = now();
    for (long i = 0; i < bytes; ++i) data[i] = (char)(i % 251);
    tcp_send(own, data, bytes);
    const double sent = now();
    int ready;
    if (tcp_select(1, &own, &ready, TCP_FOREVER) != 1 || ready != 1) return 5;
    const double selected = now();
    receive_all(own, data, bytes);
    const double received = now();
    printf("connect %.3f send %.3f select %.3f receive %.3f\n", connected - start, sent - connected, selected - sent,
           received - selected);
    const int refused = tcp_socket();
    printf("nobody: %d\n", tcp_connect(refused, 0, 8));
    tcp_close(own);
  }
  return 0;
}
