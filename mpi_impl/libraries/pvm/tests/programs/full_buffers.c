/* tasks: 3
 * Messages of which a receiver's buffer has room for one: all arrive, whoever waits for whom. */
#include "check.h"

enum { count = 3000000, messages = 3 };

static char sent[count], received[count];

static void receive_from(int task, int number) {
  int length = 0;
  received[count - 1] = -1;
  CHECK_INT(pvm_precv(tids[task], number, received, count, PVM_BYTE, 0, 0, &length), PvmOk);
  CHECK(length == count && received[count - 1] == number);
}

static void send_to(int task, int number) {
  sent[count - 1] = (char)number;
  CHECK_INT(pvm_initsend(PvmDataInPlace) > 0, 1);
  CHECK_INT(pvm_pkbyte(sent, count, 1), PvmOk);
  CHECK_INT(pvm_send(tids[task], number), PvmOk);
}

/* The one that comes first is wanted last. */
static void out_of_order(void) {
  struct timeval tenth = {0, 100000};
  if (me == 1) send_to(0, 11);
  if (me == 2) {
    CHECK_INT(pvm_trecv(-1, 99, &tenth), 0);
    send_to(0, 12);
  }
  if (me == 0) {
    receive_from(2, 12);
    receive_from(1, 11);
  }
}

/* Both send before either receives. */
static void to_each_other(void) {
  if (me == 2) return;
  for (int i = 0; i < messages; ++i) send_to(1 - me, 20 + i);
  for (int i = 0; i < messages; ++i) receive_from(1 - me, 20 + i);
}

int main(int argc, char** argv) {
  begin(argv[0], argc > 0 ? 3 : 0);
  out_of_order();
  to_each_other();
  return finish();
}
