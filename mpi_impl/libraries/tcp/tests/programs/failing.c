/* Two hosts whose link fails while one sends to the other: what calls return then, and when. Prints times in s. */
#include <stdio.h>
#include <tcp.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

int main(void) {
  const int own = tcp_socket();
  int count = 0, ready;
  char data = 0;
  if (tcp_host() == 0) {
    tcp_listen(own, 7);
    const int other = tcp_accept(own, NULL);
    long got;
    while ((got = tcp_recv(other, &data, 1)) > 0) ++count;
    printf("received %d, then %ld at %.6f\n", count, got, now());
    return 0;
  }
  tcp_select(1, &own, &ready, 0.001); /* until the other listens */
  if (tcp_connect(own, 0, 7) != 0) return 1;
  while (tcp_send(own, &data, 1) == 1) {
    ++count;
    tcp_select(1, &own, &ready, 0.01);
  }
  const double broken = now();
  printf("sent %d, broken at %.6f\n", count, broken);
  const int result = tcp_connect(tcp_socket(), 0, 7);
  printf("connect %d after %.6f\n", result, now() - broken);
  return 0;
}
