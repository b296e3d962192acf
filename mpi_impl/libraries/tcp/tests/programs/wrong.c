/* Wrong calls, one by its number. */
#include <stdlib.h>
#include <tcp.h>

int main(int count, char** arguments) {
  const int which = count > 1 ? atoi(arguments[1]) : 0;
  char data[4] = "";
  int ready;
  if (which == 0) tcp_recv(17, data, 1);
  const int own = tcp_socket();
  if (which == 1) tcp_send(own, data, 1);
  if (which == 2) tcp_listen(own, 70000);
  if (which == 3) tcp_connect(own, 9, 7);
  if (which == 4) tcp_set_buffer(own, 0);
  if (which == 5) tcp_accept(own, 0);
  if (which == 8) tcp_close(own);
  if (which == 8) tcp_send(own, data, 1);
  if (tcp_listen(own, 7) != 0) return 1;
  if (which == 6) tcp_listen(own, 8);
  if (which == 7) tcp_select(1, &own, &ready, -3);
  if (which == 9) tcp_accept(own, 0);
  return 0;
}
