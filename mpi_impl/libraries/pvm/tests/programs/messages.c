/* tasks: 4
 * Messages from task to task: which of them a receive takes, and when. */
#include "check.h"
#include "numbers.h"

/* Of one sender in order; by tag, by task, or anything. */
static void choose(void) {
  if (me == 1) {
    for (int i = 0; i < 4; ++i) send_number(tids[0], 10 + i % 2, i);
    send_number(tids[2], 20, 0);
  } else if (me == 2) {
    CHECK(pvm_recv(tids[1], 20) > 0);
    send_number(tids[0], 10, 100);
  } else if (me == 0) {
    CHECK(pvm_recv(tids[2], -1) > 0);
    CHECK_INT(received_number(), 100);
    CHECK(pvm_recv(tids[1], 11) > 0);
    CHECK_INT(received_number(), 1);
    CHECK(pvm_recv(-1, -1) > 0);
    CHECK_INT(received_number(), 0);
    CHECK(pvm_recv(-1, 11) > 0);
    CHECK_INT(received_number(), 3);
    CHECK(pvm_recv(tids[1], -1) > 0);
    CHECK_INT(received_number(), 2);
  }
}

static double seconds(void) {
  struct timeval now;
  gettimeofday(&now, 0);
  return (double)now.tv_sec + 1e-6 * (double)now.tv_usec;
}

/* Those that do not wait, or not for ever. */
static void look(void) {
  struct timeval quarter = {0, 250000}, none = {0, 0}, wrong = {-1, 0};
  if (me == 0) {
    const double begun = seconds();
    CHECK_INT(pvm_nrecv(-1, 30), 0);
    CHECK_INT(pvm_probe(-1, 30), 0);
    CHECK_INT(pvm_trecv(-1, 30, &none), 0);
    CHECK_INT(pvm_trecv(-1, 30, &quarter), 0);
    CHECK(seconds() - begun >= 0.25 && seconds() - begun < 0.26);
    CHECK_ERROR(pvm_trecv(-1, 30, &wrong), PvmBadParam);
    send_number(tids[1], 31, 0);
    CHECK(pvm_trecv(tids[1], 30, &quarter) > 0);
    CHECK_INT(received_number(), 1);
    CHECK(seconds() - begun < 0.26);
    CHECK(pvm_trecv(tids[1], 30, 0) > 0);
    CHECK_INT(received_number(), 2);
    int tag = 0, tid = 0, length = 0, found = 0;
    while ((found = pvm_probe(-1, 30)) == 0) {
    }
    CHECK_INT(pvm_bufinfo(found, &length, &tag, &tid), PvmOk);
    CHECK(tag == 30 && tid == tids[1] && length == 4);
    CHECK(pvm_nrecv(tids[1], 30) > 0);
    CHECK_INT(received_number(), 3);
    send_number(tids[1], 31, 0);
    while (pvm_trecv(tids[1], 30, &none) == 0) {
    }
    CHECK_INT(received_number(), 4);
    CHECK(pvm_getrbuf() > 0);
    CHECK_INT(pvm_nrecv(tids[1], 30), 0);
    CHECK_INT(pvm_getrbuf(), 0); /* what was received before is gone all the same */
    CHECK_ERROR(pvm_recv(-7, 1), PvmBadParam);
    CHECK_ERROR(pvm_nrecv(-7, 1), PvmBadParam);
    CHECK_ERROR(pvm_probe(-1, -7), PvmBadParam);
  } else if (me == 1) {
    CHECK(pvm_recv(tids[0], 31) > 0);
    for (int i = 1; i <= 3; ++i) send_number(tids[0], 30, i);
    CHECK(pvm_recv(tids[0], 31) > 0);
    send_number(tids[0], 30, 4);
  }
}

static void data_as_it_is(void) {
  double sent[100], got[100];
  for (int i = 0; i < 100; ++i) sent[i] = i + 1000 * me;
  if (me == 1) {
    CHECK_INT(pvm_psend(tids[0], 40, sent, 100, PVM_DOUBLE), PvmOk);
    CHECK_INT(pvm_psend(tids[0], 41, sent, 10, PVM_DOUBLE), PvmOk);
    CHECK_INT(pvm_psend(tids[0], 42, "bytes", 6, PVM_BYTE), PvmOk);
    CHECK_INT(pvm_psend(tids[0], 43, 0, 0, PVM_INT), PvmOk);
    CHECK_INT(pvm_psend(tids[0], 45, sent, 100, PVM_DOUBLE), PvmOk);
    CHECK_ERROR(pvm_psend(tids[0], 44, sent, -1, PVM_DOUBLE), PvmBadParam);
    CHECK_ERROR(pvm_psend(tids[0], 44, sent, 1, 99), PvmBadParam);
    CHECK_ERROR(pvm_psend(tids[0], -2, sent, 1, PVM_DOUBLE), PvmBadParam);
    CHECK_ERROR(pvm_psend(12345, 1, sent, 1, PVM_DOUBLE), PvmBadParam);
  } else if (me == 0) {
    int tid, tag, count;
    char bytes[6];
    CHECK_INT(pvm_precv(tids[1], 40, got, 100, PVM_DOUBLE, &tid, &tag, &count), PvmOk);
    CHECK(tid == tids[1] && tag == 40 && count == 100 && got[99] == 1099);
    CHECK_INT(pvm_precv(-1, -1, got, 100, PVM_DOUBLE, &tid, &tag, &count), PvmOk);
    CHECK(tid == tids[1] && tag == 41 && count == 10 && got[9] == 1009 && got[10] == 1010);
    CHECK(pvm_recv(tids[1], 42) > 0); /* and unpacked like any other */
    CHECK_INT(pvm_upkbyte(bytes, 6, 1), PvmOk);
    CHECK(strcmp(bytes, "bytes") == 0);
    CHECK_INT(pvm_precv(-1, 43, 0, 0, PVM_INT, 0, 0, 0), PvmOk);
    CHECK_ERROR(pvm_precv(-1, 43, got, 1, 99, 0, 0, 0), PvmBadParam);
    got[2] = -1; /* there is no room for that, and it is told */
    CHECK_INT(pvm_precv(-1, 45, got, 2, PVM_DOUBLE, &tid, &tag, &count), PvmOk);
    CHECK(count == 100 && got[1] == 1001 && got[2] == -1);
  }
}

static void to_several(void) {
  if (me == 0) {
    int others[tasks_max], number = 5, none = 0;
    memcpy(others, tids, sizeof others);
    pvm_initsend(PvmDataRaw);
    pvm_pkint(&number, 1, 1);
    CHECK_INT(pvm_mcast(others, tasks, 50), PvmOk); /* not to itself */
    CHECK_INT(pvm_nrecv(-1, 50), 0);
    CHECK_INT(pvm_mcast(&none, 0, 50), PvmOk);
    CHECK_ERROR(pvm_mcast(&none, 0, -1), PvmBadParam);
    CHECK_ERROR(pvm_mcast(&none, 1, 50), PvmBadParam);
    CHECK_ERROR(pvm_mcast(0, 1, 50), PvmBadParam);
    CHECK_ERROR(pvm_send(tids[1], -1), PvmBadParam);
    CHECK_ERROR(pvm_send(12345, 1), PvmBadParam);
    CHECK_ERROR(pvm_send(0, 1), PvmBadParam);
  } else {
    CHECK(pvm_recv(tids[0], 50) > 0);
    CHECK_INT(received_number(), 5);
  }
}

/* Handlers get messages first, in the calls that look at what has come. */
static int handled[8], times_handled;
static int handle(int bufid) {
  int tag = 0;
  CHECK_INT(bufid, pvm_getrbuf());
  CHECK_INT(pvm_getsbuf(), 0);
  pvm_bufinfo(bufid, 0, &tag, 0);
  handled[times_handled++] = tag + received_number();
  return 0;
}

static void handlers(void) {
  if (me == 1) {
    send_number(tids[0], 60, 1);
    send_number(tids[0], 61, 2);
    send_number(tids[0], 60, 3);
    send_number(tids[0], 62, 4);
  } else if (me == 0) {
    const int id = pvm_addmhf(tids[1], 60, pvm_getcontext(), handle);
    CHECK(id >= 0);
    CHECK_ERROR(pvm_addmhf(tids[1], 60, pvm_getcontext(), handle), PvmExists);
    CHECK_ERROR(pvm_addmhf(tids[1], 63, pvm_getcontext(), 0), PvmBadParam);
    CHECK(pvm_recv(tids[1], 62) > 0);
    CHECK_INT(received_number(), 4); /* the buffer is the one that was received */
    CHECK(times_handled == 2 && handled[0] == 61 && handled[1] == 63);
    CHECK_INT(pvm_delmhf(id), PvmOk);
    CHECK_ERROR(pvm_delmhf(id), PvmNotFound);
    CHECK_ERROR(pvm_delmhf(-1), PvmBadParam);
    CHECK(pvm_recv(-1, 61) > 0);
    CHECK_INT(received_number(), 2);
  }
}

/* What is wanted is an argument, what there is the buffer's. */
static int tag_of(int bufid) {
  struct pvmminfo info;
  CHECK_INT(pvm_getminfo(bufid, &info), PvmOk);
  CHECK_INT(info.src, tids[1]);
  return info.tag;
}

/* The largest tag that is even, or odd. */
static int choose_like(int bufid, int tid, int tag) {
  CHECK_INT(tid, -1);
  return tag_of(bufid) % 2 == tag % 2 ? tag_of(bufid) : 0;
}
/* The first that is not less; after one of much rank. */
static int choose_from(int bufid, int tid, int tag) {
  CHECK_INT(tid, tids[1]);
  return tag_of(bufid) >= tag ? 1 : 100;
}
static int fail(int bufid, int tid, int tag) {
  (void)bufid, (void)tid, (void)tag;
  return PvmOverflow;
}
static int refuse(int bufid, int tid, int tag) {
  (void)bufid, (void)tid, (void)tag;
  return 0;
}

static void own_choice(void) {
  if (me == 1) {
    for (int tag = 70; tag < 74; ++tag) send_number(tids[0], tag, tag);
    send_number(tids[0], 69, 0);
  } else if (me == 0) {
    CHECK(pvm_recv(tids[1], 69) > 0); /* all others have come before it */
    CHECK(pvm_recvf(choose_like) == 0);
    CHECK_INT(tag_of(pvm_probe(-1, 1)), 73);
    CHECK(pvm_recv(-1, 2) > 0);
    CHECK_INT(received_number(), 72);
    CHECK(pvm_recvf(refuse) == choose_like);
    CHECK_INT(pvm_nrecv(-1, -1), 0);
    CHECK_INT(pvm_probe(-1, -1), 0);
    CHECK(pvm_recvf(fail) == refuse);
    CHECK_ERROR(pvm_recv(-1, -1), PvmOverflow);
    CHECK_ERROR(pvm_nrecv(-1, -1), PvmOverflow);
    CHECK_ERROR(pvm_probe(-1, -1), PvmOverflow);
    CHECK_ERROR(pvm_precv(-1, -1, 0, 0, PVM_INT, 0, 0, 0), PvmOverflow);
    pvm_recvf(choose_from);
    CHECK(pvm_recv(tids[1], 71) > 0);
    CHECK_INT(received_number(), 71);
    CHECK(pvm_recvf(0) == choose_from);
    CHECK(pvm_recv(-1, -1) > 0);
    CHECK_INT(received_number(), 70);
    CHECK(pvm_recv(-1, 73) > 0);
  }
}

/* A handler for any context has those of programs, and none of the library's own. */
static void handler_of_any_context(void) {
  static char pair[] = "pair";
  int own = me, both[2];
  if (me > 1) return;
  times_handled = 0;
  const int id = me == 0 ? pvm_addmhf(tids[1], -1, -1, handle) : 0;
  pvm_joingroup(pair);
  CHECK_INT(pvm_barrier(pair, 2), PvmOk);
  CHECK_INT(pvm_gather(both, &own, 1, PVM_INT, 66, pair, pvm_getinst(pair, tids[0])), PvmOk);
  CHECK_INT(pvm_barrier(pair, 2), PvmOk);
  CHECK_INT(times_handled, 0);
  if (me == 0) {
    const int context = pvm_newcontext();
    send_number(tids[1], 64, context);
    CHECK_INT(pvm_barrier(pair, 2), PvmOk);
    CHECK(times_handled == 2 && handled[0] == 65 + 1 && handled[1] == 65 + 2);
    CHECK_INT(pvm_delmhf(id), PvmOk);
  } else {
    CHECK(pvm_recv(tids[0], 64) > 0);
    send_number(tids[0], 65, 1);
    const int before = pvm_setcontext(received_number());
    send_number(tids[0], 65, 2);
    pvm_setcontext(before);
    CHECK_INT(pvm_barrier(pair, 2), PvmOk);
  }
}

/* Long ones arrive whole by the daemons as well. */
static void by_daemons(void) {
  enum { count = 5000 };
  int numbers[count], got[count];
  CHECK(pvm_setopt(PvmRoute, PvmDontRoute) >= PvmDontRoute);
  for (int i = 0; i < count; ++i) numbers[i] = i * me;
  if (me == 2) {
    CHECK_INT(pvm_psend(tids[3], 90, numbers, count, PVM_INT), PvmOk);
    CHECK_INT(pvm_psend(tids[3], 90, numbers, 1, PVM_INT), PvmOk);
  } else if (me == 3) {
    CHECK_INT(pvm_precv(tids[2], 90, got, count, PVM_INT, 0, 0, 0), PvmOk);
    CHECK(memcmp(got + 1, numbers + 1, sizeof(int)) != 0);
    for (int i = 0; i < count; ++i) CHECK_INT(got[i], 2 * i);
    int one = 0;
    CHECK_INT(pvm_precv(tids[2], 90, got, count, PVM_INT, 0, 0, &one), PvmOk);
    CHECK_INT(one, 1);
  }
}

/* Fewer fragments take less. */
static void fragments(void) {
  static char bytes[40000];
  double took[2];
  if (me == 1) CHECK_ERROR(pvm_setopt(PvmFragSize, 100), PvmBadParam);
  for (int i = 0; i < 2; ++i)
    if (me == 3) {
      const double begun = seconds();
      CHECK(pvm_setopt(PvmFragSize, i == 0 ? 2000 : 20000) >= 2000);
      CHECK_INT(pvm_psend(tids[1], 93, bytes, 40000, PVM_BYTE), PvmOk);
      CHECK_INT(pvm_precv(tids[1], 94, bytes, 1, PVM_BYTE, 0, 0, 0), PvmOk);
      took[i] = seconds() - begun;
    } else if (me == 1) {
      CHECK_INT(pvm_precv(tids[3], 93, bytes, 40000, PVM_BYTE, 0, 0, 0), PvmOk);
      CHECK_INT(pvm_psend(tids[3], 94, bytes, 1, PVM_BYTE), PvmOk);
    }
  if (me == 3) CHECK(took[1] < took[0]);
}

/* Of one sender in order, whichever way each goes: a long one by the daemons is slower than a short one that does not.
 */
static void by_either_way(void) {
  enum { rounds = 4, count = 50000 };
  static char bytes[count];
  for (int i = 0; i < 2 * rounds; ++i)
    if (me == 1) {
      const int length = i % 2 == 0 ? count : 1;
      CHECK(pvm_setopt(PvmRoute, i % 2 == 0 ? PvmDontRoute : PvmRouteDirect) > 0);
      CHECK_INT(pvm_psend(tids[0], 95, bytes, length, PVM_BYTE), PvmOk);
    } else if (me == 0) {
      int length = 0;
      if (i == 0) pvm_setopt(PvmRoute, PvmRouteDirect);
      CHECK_INT(pvm_precv(tids[1], -1, bytes, count, PVM_BYTE, 0, 0, &length), PvmOk);
      CHECK_INT(length, i % 2 == 0 ? count : 1);
    }
}

int main(int argc, char** argv) {
  begin(argv[0], argc > 0 ? 4 : 0);
  choose();
  look();
  data_as_it_is();
  to_several();
  handlers();
  own_choice();
  handler_of_any_context();
  by_daemons();
  fragments();
  by_either_way();
  return finish();
}
