/* Three hosts: one waits for two others, of which one sends later; a port can be had once; who closes is noticed. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tcp.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec * 1e-3;
}

static int wrong = 0;
static void check(int is_right, int line) {
  if (!is_right) wrong = printf("line %d is wrong\n", line);
}
#define CHECK(what) check(what, __LINE__)

static void serve(void) {
  const int own = tcp_socket(), second = tcp_socket();
  CHECK(tcp_host() == 0);
  CHECK(tcp_buffer(own) == 4800);
  tcp_set_buffer(second, 100);
  CHECK(tcp_buffer(second) == 100);
  CHECK(tcp_listen(own, 7) == 0);
  CHECK(tcp_listen(second, 7) == TCP_FAILED);
  int other[2], ready[2];
  for (int i = 0; i < 2; ++i) {
    int host;
    const int socket = tcp_accept(own, &host);
    CHECK(socket != TCP_FAILED && (host == 1 || host == 2));
    other[host - 1] = socket;
  }
  double start = now();
  CHECK(tcp_select(2, other, ready, 0.001) == 0 && !ready[0] && !ready[1]);
  CHECK(fabs(now() - start - 1000) < 250); /* the looks take 100 us each, before and after */
  CHECK(tcp_select(2, other, ready, 0) == 0);
  CHECK(tcp_select(2, other, ready, TCP_FOREVER) == 1 && ready[0] && !ready[1]);
  char text[8] = "";
  CHECK(tcp_recv(other[0], text, sizeof text) == 6 && strcmp(text, "early") == 0);
  CHECK(tcp_select(2, other, ready, TCP_FOREVER) == 1 && !ready[0] && ready[1]);
  CHECK(tcp_recv(other[1], text, 2) == 2 && tcp_recv(other[1], text + 2, 6) == 3 && strcmp(text, "late") == 0);
  CHECK(tcp_recv(other[1], text, 1) == 0); /* it has closed */
  CHECK(tcp_send(other[1], text, 1) == TCP_FAILED);
  tcp_close(own);
  CHECK(tcp_listen(second, 7) == 0);
  if (!wrong) printf("right\n");
}

int main(void) {
  if (tcp_hosts() != 3) return 1;
  if (tcp_host() == 0) {
    serve();
    return 0;
  }
  usleep(500);
  const int own = tcp_socket();
  if (tcp_connect(own, 0, 7) != 0) return 2;
  usleep(tcp_host() == 1 ? 5000 : 10000);
  tcp_send(own, tcp_host() == 1 ? "early" : "late", tcp_host() == 1 ? 6 : 5);
  if (tcp_host() == 2) tcp_close(own);
  return 0;
}
