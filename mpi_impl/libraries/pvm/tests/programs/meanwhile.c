/* tasks: 2
 * What reaches a task while it waits in a call that is not about messages: those for its handlers, and signals. */
#include <signal.h>

#include "check.h"

enum { tag_question = 20, tag_answer, tag_signal };

static char group[] = "pair";

static int answer(int bufid) {
  int sender, number;
  CHECK_INT(pvm_bufinfo(bufid, 0, 0, &sender), PvmOk);
  CHECK_INT(pvm_upkint(&number, 1, 1), PvmOk);
  number *= 2;
  CHECK_INT(pvm_psend(sender, tag_answer, &number, 1, PVM_INT), PvmOk);
  return 0;
}

static void messages_for_handlers(void) {
  int number = 21;
  if (me == 0) CHECK(pvm_addmhf(-1, tag_question, pvm_getcontext(), answer) >= 0);
  if (me == 1) { /* comes to the barrier only when it has been answered */
    CHECK_INT(pvm_psend(tids[0], tag_question, &number, 1, PVM_INT), PvmOk);
    CHECK_INT(pvm_precv(tids[0], tag_answer, &number, 1, PVM_INT, 0, 0, 0), PvmOk);
    CHECK_INT(number, 42);
  }
  CHECK_INT(pvm_barrier(group, tasks), PvmOk);
}

static volatile sig_atomic_t is_signalled;
static void take_signal(int number) {
  is_signalled = number;
  CHECK_INT(pvm_psend(tids[1], tag_signal, 0, 0, PVM_INT), PvmOk);
}

static void signals(void) {
  if (me == 0) signal(SIGUSR1, take_signal);
  CHECK_INT(pvm_barrier(group, tasks), PvmOk);
  if (me == 1) {
    CHECK_INT(pvm_sendsig(tids[0], SIGUSR1), PvmOk);
    CHECK_INT(pvm_precv(tids[0], tag_signal, 0, 0, PVM_INT, 0, 0, 0), PvmOk);
  }
  CHECK_INT(pvm_barrier(group, tasks), PvmOk);
  if (me == 0) CHECK_INT(is_signalled, SIGUSR1);
}

int main(int argc, char** argv) {
  begin(argv[0], argc > 0 ? 2 : 0);
  CHECK(pvm_joingroup(group) >= 0);
  messages_for_handlers();
  signals();
  return finish();
}
