/* tasks: 4
 * What a message has besides its data: a context, a wait identifier, and tags that programs do not use. */
#include "check.h"
#include "numbers.h"

/* A reply has the wait identifier and the context of what it answers, whatever the task's own context is. */
static void replies(void) {
  struct pvmminfo asked, reply;
  const int base = pvm_getcontext();
  if (me == 0) {
    const int context = pvm_newcontext();
    send_number(tids[1], 84, context);
    pvm_setcontext(context);
    pvm_setmwid(pvm_initsend(PvmDataRaw), 17);
    CHECK_INT(pvm_getminfo(pvm_getsbuf(), &asked), PvmOk);
    CHECK(asked.wid == 17 && asked.ctx == context);
    CHECK_INT(pvm_send(tids[1], 85), PvmOk);
    CHECK(pvm_recv(tids[1], 86) > 0);
    CHECK_INT(pvm_getmwid(pvm_getrbuf()), 17);
  } else if (me == 1) {
    CHECK(pvm_recv(tids[0], 84) > 0);
    pvm_setcontext(received_number());
    CHECK(pvm_recv(tids[0], 85) > 0);
    CHECK_INT(pvm_getminfo(pvm_getrbuf(), &asked), PvmOk);
    pvm_setcontext(base);
    CHECK_INT(pvm_getminfo(pvm_initsend(PvmDataRaw), &reply), PvmOk);
    CHECK(reply.wid == 0 && reply.ctx == base);
    reply.wid = asked.wid;
    reply.ctx = asked.ctx;
    CHECK_INT(pvm_setminfo(pvm_getsbuf(), &reply), PvmOk);
    CHECK_INT(pvm_send(asked.src, 86), PvmOk);
  }
  pvm_setcontext(base);
}

/* Tags below 0, and messages to daemons, for a task that says so. */
static void reserved(void) {
  if (me == 1) {
    pvm_initsend(PvmDataRaw);
    CHECK_ERROR(pvm_send(tids[0], -5), PvmBadParam);
    CHECK_ERROR(pvm_send(pvm_tidtohost(tids[0]), 1), PvmBadParam);
    CHECK_INT(pvm_setopt(PvmResvTids, 1), 0);
    CHECK_INT(pvm_send(tids[0], -5), PvmOk);
    CHECK_INT(pvm_send(pvm_tidtohost(tids[0]), 1), PvmOk); /* which makes nothing of it */
    CHECK_ERROR(pvm_send(12345, 1), PvmBadParam);
    CHECK_INT(pvm_setopt(PvmResvTids, 0), 1);
  } else if (me == 0) {
    int tag;
    CHECK_INT(pvm_bufinfo(pvm_recv(tids[1], -1), 0, &tag, 0), PvmOk);
    CHECK_INT(tag, -5);
  }
}

static void contexts(void) {
  int context = 0;
  if (me == 0) {
    context = pvm_newcontext();
    CHECK(context > 0 && context != pvm_newcontext());
    for (int i = 1; i < tasks; ++i) send_number(tids[i], 80, context);
    CHECK_INT(pvm_setcontext(context), PvmBaseContext);
    CHECK_INT(pvm_getcontext(), context);
    send_number(tids[1], 81, 2);
    CHECK_INT(pvm_setcontext(PvmBaseContext), context);
    send_number(tids[1], 81, 1);
    CHECK_ERROR(pvm_setcontext(98765), PvmBadParam);
  } else {
    CHECK(pvm_recv(tids[0], 80) > 0);
    context = received_number();
  }
  if (me == 1) {
    CHECK(pvm_recv(-1, 81) > 0);
    CHECK_INT(received_number(), 1);
    pvm_setcontext(context);
    CHECK(pvm_recv(-1, 81) > 0);
    CHECK_INT(received_number(), 2);
    CHECK_INT(pvm_freecontext(context), PvmOk);
    CHECK_INT(pvm_getcontext(), PvmBaseContext);
    CHECK_ERROR(pvm_freecontext(context), PvmBadParam);
    CHECK_ERROR(pvm_freecontext(PvmBaseContext), PvmBadParam);
  }
}

int main(int argc, char** argv) {
  begin(argv[0], argc > 0 ? 4 : 0);
  replies();
  reserved();
  contexts();
  return finish();
}
