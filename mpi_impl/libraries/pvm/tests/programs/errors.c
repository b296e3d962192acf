/* tasks: 2
 * What each call returns of a mistake, and that it works again after it. */
#include <pvmtev.h>

#include "check.h"

enum { unknown_task = 12345, unknown_buffer = 9999 };

static char group[] = "pair", nobody[] = "nobody", nameless[] = "", box[] = "box";

/* A buffer that is none, items that are none, and no buffer at all. */
#define CHECK_PACKING(pack, unpack, type)        \
  do {                                           \
    type one = (type)1, got = (type)0;           \
    pvm_initsend(PvmDataDefault);                \
    CHECK_ERROR(pack(0, 1, 1), PvmBadParam);     \
    CHECK_ERROR(pack(&one, -1, 1), PvmBadParam); \
    pvm_initsend(PvmDataInPlace);                \
    CHECK_ERROR(pack(&one, 1, 2), PvmNotImpl);   \
    pvm_initsend(PvmDataDefault);                \
    CHECK_INT(pack(&one, 1, 1), PvmOk);          \
    pvm_send(pvm_mytid(), 3);                    \
    pvm_setsbuf(0);                              \
    CHECK_ERROR(pack(&one, 1, 1), PvmNoBuf);     \
    pvm_recv(-1, 3);                             \
    CHECK_ERROR(unpack(0, 1, 1), PvmBadParam);   \
    CHECK_INT(unpack(&got, 1, 1), PvmOk);        \
    CHECK(got == one);                           \
    CHECK_ERROR(unpack(&got, 1, 1), PvmNoData);  \
    pvm_setrbuf(0);                              \
    CHECK_ERROR(unpack(&got, 1, 1), PvmNoBuf);   \
  } while (0)

/* The same of two numbers an item. */
#define CHECK_PACKING_PAIRS(pack, unpack, type) \
  do {                                          \
    type one[2] = {1, 2}, got[2] = {0, 0};      \
    pvm_initsend(PvmDataInPlace);               \
    CHECK_ERROR(pack(one, 1, 2), PvmNotImpl);   \
    pvm_initsend(PvmDataDefault);               \
    CHECK_ERROR(pack(0, 1, 1), PvmBadParam);    \
    CHECK_INT(pack(one, 1, 1), PvmOk);          \
    pvm_send(pvm_mytid(), 3);                   \
    pvm_setsbuf(0);                             \
    CHECK_ERROR(pack(one, 1, 1), PvmNoBuf);     \
    pvm_recv(-1, 3);                            \
    CHECK_ERROR(unpack(0, 1, 1), PvmBadParam);  \
    CHECK_INT(unpack(got, 1, 1), PvmOk);        \
    CHECK(got[0] == 1 && got[1] == 2);          \
    CHECK_ERROR(unpack(got, 1, 1), PvmNoData);  \
    pvm_setrbuf(0);                             \
    CHECK_ERROR(unpack(got, 1, 1), PvmNoBuf);   \
  } while (0)

static void packing(void) {
  char text[8];
  CHECK_PACKING(pvm_pkbyte, pvm_upkbyte, char);
  CHECK_PACKING(pvm_pkdouble, pvm_upkdouble, double);
  CHECK_PACKING(pvm_pkfloat, pvm_upkfloat, float);
  CHECK_PACKING(pvm_pkint, pvm_upkint, int);
  CHECK_PACKING(pvm_pklong, pvm_upklong, long);
  CHECK_PACKING(pvm_pkshort, pvm_upkshort, short);
  CHECK_PACKING(pvm_pkuint, pvm_upkuint, unsigned);
  CHECK_PACKING(pvm_pkulong, pvm_upkulong, unsigned long);
  CHECK_PACKING(pvm_pkushort, pvm_upkushort, unsigned short);
  CHECK_PACKING_PAIRS(pvm_pkcplx, pvm_upkcplx, float);
  CHECK_PACKING_PAIRS(pvm_pkdcplx, pvm_upkdcplx, double);
  pvm_initsend(PvmDataInPlace);
  CHECK_ERROR(pvm_pkstr("text"), PvmNotImpl);
  CHECK_ERROR(pvm_packf("%s", "text"), PvmNotImpl);
  pvm_initsend(PvmDataRaw);
  CHECK_ERROR(pvm_pkstr(0), PvmBadParam);
  CHECK_ERROR(pvm_packf("%y", 1), PvmBadParam);
  CHECK_INT(pvm_pkstr("right"), PvmOk);
  pvm_send(pvm_mytid(), 4);
  pvm_setsbuf(0);
  CHECK_ERROR(pvm_pkstr("text"), PvmNoBuf);
  CHECK_ERROR(pvm_packf("%d", 1), PvmNoBuf);
  CHECK_ERROR(pvm_pkmesg(pvm_getrbuf()), PvmNoBuf);
  CHECK_ERROR(pvm_pkmesgbody(pvm_getrbuf()), PvmNoBuf);
  pvm_setrbuf(0);
  CHECK_ERROR(pvm_upkstr(text), PvmNoBuf);
  CHECK_ERROR(pvm_unpackf("%s", text), PvmNoBuf);
  CHECK_ERROR(pvm_upkmesg(), PvmNoBuf);
  CHECK(pvm_recv(-1, 4) > 0);
  CHECK_ERROR(pvm_unpackf("%y", text), PvmBadParam);
  CHECK_ERROR(pvm_upkstr(0), PvmBadParam);
  CHECK_INT(pvm_upkstr(text), PvmOk);
  CHECK(strcmp(text, "right") == 0);
  CHECK_ERROR(pvm_upkstr(text), PvmNoData);
  CHECK_ERROR(pvm_unpackf("%s", text), PvmNoData);
}

static void bad_messages(void) {
  int number = -5;
  char text[8];
  pvm_initsend(PvmDataDefault);
  for (int i = 0; i < 7; ++i) pvm_pkint(&number, 1, 1);
  pvm_send(pvm_mytid(), 4);
  CHECK(pvm_recv(-1, 4) > 0);
  CHECK_ERROR(pvm_upkstr(text), PvmBadMsg); /* no text has so many letters */
  CHECK_ERROR(pvm_upkmesg(), PvmBadMsg);
}

static void buffers(void) {
  struct pvmminfo info;
  int bytes;
  pvm_initsend(PvmDataDefault);
  CHECK_ERROR(pvm_pkmesg(pvm_getsbuf()), PvmBadParam);
  CHECK_ERROR(pvm_pkmesgbody(pvm_getsbuf()), PvmBadParam);
  CHECK_ERROR(pvm_pkmesgbody(unknown_buffer), PvmNoSuchBuf);
  CHECK_ERROR(pvm_bufinfo(-1, &bytes, 0, 0), PvmBadParam);
  CHECK_ERROR(pvm_freebuf(unknown_buffer), PvmNoSuchBuf);
  CHECK_ERROR(pvm_setsbuf(-1), PvmBadParam);
  CHECK_ERROR(pvm_setrbuf(unknown_buffer), PvmNoSuchBuf);
  CHECK_ERROR(pvm_getminfo(0, &info), PvmBadParam);
  CHECK_ERROR(pvm_getminfo(pvm_getsbuf(), 0), PvmBadParam);
  CHECK_ERROR(pvm_setminfo(0, &info), PvmBadParam);
  CHECK_ERROR(pvm_getmwid(0), PvmBadParam);
  CHECK_ERROR(pvm_getmwid(unknown_buffer), PvmNoSuchBuf);
  CHECK_ERROR(pvm_setmwid(0, 1), PvmBadParam);
  CHECK_ERROR(pvm_setmwid(unknown_buffer, 1), PvmNoSuchBuf);
}

static void messages(void) {
  int number = 1;
  struct timeval soon = {0, 1000};
  pvm_setsbuf(0);
  CHECK_ERROR(pvm_send(tids[0], 1), PvmNoBuf);
  CHECK_ERROR(pvm_mcast(tids, tasks, 1), PvmNoBuf);
  pvm_initsend(PvmDataRaw);
  CHECK_ERROR(pvm_send(unknown_task, 1), PvmBadParam);
  CHECK_ERROR(pvm_mcast(tids, tasks, -1), PvmBadParam);
  CHECK_ERROR(pvm_psend(tids[0], 1, 0, 1, PVM_INT), PvmBadParam);
  CHECK_ERROR(pvm_precv(tids[0], 1, 0, 1, PVM_INT, 0, 0, 0), PvmBadParam);
  CHECK_ERROR(pvm_precv(-2, 1, &number, 1, PVM_INT, 0, 0, 0), PvmBadParam);
  CHECK_ERROR(pvm_recv(-1, -2), PvmBadParam);
  CHECK_ERROR(pvm_nrecv(-1, -2), PvmBadParam);
  CHECK_ERROR(pvm_trecv(-1, -2, &soon), PvmBadParam);
  CHECK_ERROR(pvm_probe(-2, 1), PvmBadParam);
  CHECK_ERROR(pvm_addmhf(-2, 1, 0, 0), PvmBadParam);
}

static void mailboxes(void) {
  int number = 7;
  CHECK_ERROR(pvm_putinfo(nameless, pvm_initsend(PvmDataRaw), PvmMboxDefault), PvmBadParam);
  CHECK_ERROR(pvm_recvinfo(0, 0, PvmMboxDefault), PvmBadParam);
  CHECK_ERROR(pvm_recvinfo(nobody, 0, PvmMboxDefault), PvmNotFound);
  CHECK_ERROR(pvm_delinfo(nameless, 0, PvmMboxDefault), PvmBadParam);
  CHECK_ERROR(pvm_insert(0, 0, 1), PvmBadParam);
  CHECK_ERROR(pvm_lookup(0, 0, &number), PvmBadParam);
  CHECK_INT(number, 7);
  CHECK_ERROR(pvm_delete(0, 0), PvmBadParam);
  CHECK_ERROR(pvm_delete(box, -1), PvmBadParam);
  if (me == 0) {
    CHECK_INT(pvm_insert(box, 3, 41), 3);
    CHECK_ERROR(pvm_insert(box, 3, 42), PvmExists);
    CHECK_INT(pvm_lookup(box, 3, &number), 3);
    CHECK_INT(number, 41);
    CHECK_INT(pvm_delete(box, 3), PvmOk);
    CHECK_ERROR(pvm_delete(box, 3), PvmNotFound);
    CHECK_ERROR(pvm_lookup(box, 3, &number), PvmNotFound);
  }
}

/* Before anybody is in one, while one of two is, and with both. */
static void groups(void) {
  int number = 1, all[2] = {0, 0};
  CHECK_ERROR(pvm_lvgroup(nameless), PvmNullGroup);
  CHECK_ERROR(pvm_gsize(nameless), PvmNullGroup);
  CHECK_ERROR(pvm_gettid(nameless, 0), PvmNullGroup);
  CHECK_ERROR(pvm_getinst(0, tids[0]), PvmNullGroup);
  CHECK_ERROR(pvm_barrier(nameless, 1), PvmNullGroup);
  CHECK_ERROR(pvm_freezegroup(nameless, 1), PvmNullGroup);
  CHECK_ERROR(pvm_scatter(&number, all, 1, PVM_INT, 1, nameless, 0), PvmNullGroup);
  CHECK_ERROR(pvm_reduce(PvmSum, &number, 1, PVM_INT, 1, nameless, 0), PvmNullGroup);
  if (me == 1) {
    CHECK_INT(pvm_joingroup(group), 0);
    pvm_initsend(PvmDataRaw);
    pvm_send(tids[0], 5);
    CHECK(pvm_recv(tids[0], 6) > 0);
    CHECK_ERROR(pvm_reduce(PvmSum, &number, 1, PVM_INT, 1, group, 9), PvmNoInst);
    CHECK_ERROR(pvm_scatter(&number, all, 1, PVM_INT, 1, group, 9), PvmNoInst);
    CHECK_INT(pvm_lvgroup(group), PvmOk);
  } else {
    CHECK(pvm_recv(tids[1], 5) > 0);
    CHECK_ERROR(pvm_lvgroup(group), PvmNotInGroup);
    CHECK_ERROR(pvm_barrier(group, 2), PvmNotInGroup);
    CHECK_ERROR(pvm_freezegroup(group, 2), PvmNotInGroup);
    CHECK_ERROR(pvm_gather(all, &number, 1, PVM_INT, 1, group, 0), PvmNoInst);
    CHECK_ERROR(pvm_scatter(&number, all, 1, PVM_INT, 1, group, 0), PvmNoInst);
    CHECK_ERROR(pvm_reduce(PvmSum, &number, 1, PVM_INT, 1, group, 0), PvmNoInst);
    pvm_initsend(PvmDataRaw);
    pvm_send(tids[1], 6);
  }
}

/* Of numbers that there is no order of, or no arithmetic. */
static void functions(void) {
  int type = PVM_INT, count = 2, info = 1;
  int x[2] = {1, 5}, y[2] = {3, 2};
  PvmMax(&type, x, y, &count, &info);
  CHECK(info == PvmOk && x[0] == 3 && x[1] == 5);
  PvmMin(&type, x, y, &count, &info);
  CHECK(info == PvmOk && x[0] == 3 && x[1] == 2);
  PvmSum(&type, x, y, &count, &info);
  CHECK(info == PvmOk && x[0] == 6 && x[1] == 4);
  PvmProduct(&type, x, y, &count, &info);
  CHECK(info == PvmOk && x[0] == 18 && x[1] == 8);
  type = PVM_BYTE; /* of which there is an order, but no arithmetic */
  PvmMax(&type, x, y, &count, &info);
  CHECK_INT(info, PvmOk);
  PvmSum(&type, x, y, &count, &info);
  CHECK_INT(info, PvmBadParam);
  PvmProduct(&type, x, y, &count, &info);
  CHECK_INT(info, PvmBadParam);
  type = PVM_STR;
  PvmMax(&type, x, y, &count, &info);
  CHECK_INT(info, PvmBadParam);
  PvmMin(&type, x, y, &count, &info);
  CHECK_INT(info, PvmBadParam);
  PvmSum(&type, x, y, &count, &info);
  CHECK_INT(info, PvmBadParam);
  PvmProduct(&type, x, y, &count, &info);
  CHECK_INT(info, PvmBadParam);
  CHECK(x[0] == 18 && x[1] == 8);
}

static void hosts_and_tasks(char* self) {
  struct pvmhostinfo* hosts;
  struct pvmtaskinfo* infos;
  struct timeval clock;
  char *names[] = {"no such host"}, *own[] = {0};
  int count, code, started[32], *fds;
  Pvmtmask mask;
  CHECK_INT(pvm_config(&count, 0, &hosts), PvmOk);
  own[0] = hosts[0].hi_name;
  CHECK_ERROR(pvm_addhosts(names, 0, &code), PvmBadParam);
  CHECK_INT(pvm_addhosts(names, 1, &code), 0);
  CHECK_INT(code, PvmNoHost);
  CHECK_INT(pvm_addhosts(own, 1, &code), 0);
  CHECK_INT(code, PvmDupHost);
  CHECK_ERROR(pvm_delhosts(0, 1, &code), PvmBadParam);
  CHECK_INT(pvm_delhosts(names, 1, &code), 0);
  CHECK_INT(code, PvmNoHost);
  CHECK_INT(pvm_mstat(names[0]), PvmNoHost);
  CHECK_ERROR(pvm_mstat(0), PvmBadParam);
  CHECK_ERROR(pvm_archcode(0), PvmBadParam);
  CHECK_ERROR(pvm_archcode("ABACUS"), PvmNotFound);
  CHECK_ERROR(pvm_hostsync(-1, &clock, 0), PvmNoHost);
  CHECK_ERROR(pvm_tasks(-1, &count, &infos), PvmBadParam);
  CHECK_ERROR(pvm_tasks(pvm_tidtohost(tids[0]) + (1000 << 18), &count, &infos), PvmNoHost);
  CHECK_ERROR(pvm_tasks(tids[0] + 77, &count, &infos), PvmNoTask);
  CHECK_ERROR(pvm_tidtohost(0), PvmBadParam);
  CHECK_ERROR(pvm_pstat(0), PvmBadParam);
  CHECK_INT(pvm_pstat(tids[0] + 77), PvmNoTask);
  CHECK_ERROR(pvm_kill(0), PvmBadParam);
  CHECK_ERROR(pvm_kill(tids[0] + 77), PvmNoTask);
  CHECK_ERROR(pvm_sendsig(tids[0], 1000), PvmBadParam);
  CHECK_ERROR(pvm_notify(PvmHostDelete, 1, 1, tids), PvmBadParam);
  CHECK_ERROR(pvm_notify(PvmRouteDelete, 1, 1, tids), PvmNotImpl);
  CHECK_ERROR(pvm_setcontext(-1), PvmBadParam);
  CHECK_ERROR(pvm_freecontext(-1), PvmBadParam);
  CHECK_ERROR(pvm_setopt(0, 1), PvmBadParam);
  CHECK_ERROR(pvm_setopt(PvmAutoErr, 9), PvmBadParam);
  CHECK_ERROR(pvm_getopt(-1), PvmBadParam);
  CHECK_ERROR(pvm_advise(0), PvmBadParam);
  CHECK_ERROR(pvm_serror(-1), PvmBadParam);
  CHECK_ERROR(pvm_settmask(3, mask), PvmBadParam);
  CHECK_ERROR(pvm_gettmask(3, mask), PvmBadParam);
  CHECK_ERROR(pvm_getfds(&fds), PvmNotImpl);
  CHECK_INT(pvm_errno, PvmNotImpl);
  CHECK_ERROR(pvm_spawn("", 0, PvmTaskDefault, 0, 1, started), PvmBadParam);
  CHECK_ERROR(pvm_spawn(self, 0, PvmMppFront, 0, 1, started), PvmNotImpl);
  CHECK_INT(pvm_spawn(self, 0, PvmTaskHost, "no such host", 1, started), 0);
  CHECK_INT(started[0], PvmNoHost);
  CHECK_INT(pvm_spawn(self, 0, PvmTaskArch, "ABACUS", 2, started), 0);
  CHECK(started[0] == PvmNoHost && started[1] == PvmNoHost);
  CHECK_INT(pvm_spawn("no such program", 0, PvmTaskDefault, 0, 1, started), 0);
  CHECK_INT(started[0], PvmNoFile);
}

/* What does not fit. */
static void too_many(char* self) {
  char* arguments[] = {"wait", 0};
  int started[200];
  const int count = pvm_spawn(self, arguments, PvmTaskDefault, 0, 200, started);
  CHECK(count > 0 && count < 200 && started[199] == PvmOutOfRes);
  for (int i = 0; i < count; ++i) CHECK_INT(pvm_kill(started[i]), PvmOk);
}

int main(int argc, char** argv) {
  if (argc > 1) return pvm_recv(-1, 1); /* for ever */
  begin(argv[0], 2);
  packing();
  bad_messages();
  buffers();
  messages();
  mailboxes();
  groups();
  functions();
  hosts_and_tasks(argv[0]);
  if (me == 0) too_many(argv[0]);
  return finish();
}
