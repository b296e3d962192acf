/* tasks: 3
 * Messages that are left under a name. */
#include "check.h"

static char box[] = "box", other[] = "other", third[] = "third", old[] = "old";

static int buffer_of(int number) {
  const int id = pvm_initsend(PvmDataDefault);
  CHECK_INT(pvm_pkint(&number, 1, 1), PvmOk);
  return id;
}

static int number_in(int bufid) {
  int number = -1;
  CHECK(bufid > 0);
  CHECK_INT(pvm_getrbuf(), bufid);
  CHECK_INT(pvm_upkint(&number, 1, 1), PvmOk);
  return number;
}

static void meet(void) {
  static int round = 0;
  const int tag = 500 + round++;
  pvm_initsend(PvmDataRaw);
  if (me == 0) {
    for (int i = 1; i < tasks; ++i) CHECK(pvm_recv(tids[i], tag) > 0);
    CHECK_INT(pvm_mcast(tids, tasks, tag), PvmOk);
  } else {
    CHECK_INT(pvm_send(tids[0], tag), PvmOk);
    CHECK(pvm_recv(tids[0], tag) > 0);
  }
}

static void single(void) {
  if (me == 0) {
    CHECK_ERROR(pvm_recvinfo(box, 0, PvmMboxDefault), PvmNotFound);
    CHECK_INT(pvm_putinfo(box, buffer_of(1), PvmMboxDefault), 0);
    CHECK_ERROR(pvm_putinfo(box, buffer_of(2), PvmMboxDefault), PvmExists);
    CHECK_ERROR(pvm_putinfo(box, 99, PvmMboxDefault), PvmNoSuchBuf);
    CHECK_ERROR(pvm_putinfo(0, buffer_of(2), PvmMboxDefault), PvmBadParam);
    CHECK_ERROR(pvm_putinfo(box, 0, PvmMboxDefault), PvmBadParam);
    CHECK_ERROR(pvm_putinfo(box, buffer_of(2), PvmMboxMultiInstance), PvmExists); /* it is the only one */
  }
  meet();
  CHECK_INT(number_in(pvm_recvinfo(box, 0, PvmMboxDefault)), 1);
  if (me == 1) {
    CHECK_ERROR(pvm_putinfo(box, buffer_of(2), PvmMboxDefault), PvmExists);
    CHECK_ERROR(pvm_putinfo(box, buffer_of(2), PvmMboxOverWritable), PvmDenied);
    CHECK_ERROR(pvm_delinfo(box, 0, PvmMboxDefault), PvmDenied);
    CHECK_ERROR(pvm_recvinfo(box, 0, PvmMboxReadAndDelete), PvmDenied);
    CHECK_ERROR(pvm_delinfo(box, 7, PvmMboxDefault), PvmNotFound);
    CHECK_ERROR(pvm_recvinfo(box, -1, PvmMboxDefault), PvmBadParam);
  }
  meet();
  if (me == 0) {
    CHECK_INT(pvm_delinfo(box, 0, PvmMboxDefault), PvmOk);
    CHECK_ERROR(pvm_delinfo(box, 0, PvmMboxDefault), PvmNotFound);
  }
  meet();
}

static void several(void) {
  struct pvmmboxinfo* infos;
  int count;
  if (me == 0) {
    for (int i = 0; i < 3; ++i) CHECK_INT(pvm_putinfo(other, buffer_of(10 + i), PvmMboxMultiInstance), i);
    CHECK_INT(pvm_putinfo(other, buffer_of(19), PvmMboxMultiInstance | PvmMboxDirectIndex(9)), 9);
    CHECK_INT(pvm_putinfo(third, buffer_of(20), PvmMboxOverWritable | PvmMboxPersistent), 0);
  }
  meet();
  if (me == 1) {
    CHECK_INT(number_in(pvm_recvinfo(other, 1, PvmMboxDefault)), 11);
    CHECK_INT(number_in(pvm_recvinfo(other, 3, PvmMboxFirstAvail)), 19);
    CHECK_ERROR(pvm_recvinfo(other, 3, PvmMboxDefault), PvmNotFound);
    CHECK_INT(pvm_putinfo(third, buffer_of(21), PvmMboxOverWritable | PvmMboxPersistent), 0);
    CHECK_INT(number_in(pvm_recvinfo(third, 0, PvmMboxDefault)), 21);
    pvm_getmboxinfo("^o.h+", &count, &infos);
    CHECK_INT(count, 1);
    CHECK(strcmp(infos[0].mi_name, "other") == 0 && infos[0].mi_nentries == 4);
    CHECK(infos[0].mi_indices[3] == 9 && infos[0].mi_owners[3] == tids[0]);
    CHECK_INT(infos[0].mi_flags[0], PvmMboxMultiInstance);
    CHECK_INT(pvm_getmboxinfo("*", &count, &infos), PvmOk);
    CHECK_INT(count, 2);
    CHECK_INT(pvm_getmboxinfo("h[ei]r", &count, &infos), PvmOk);
    CHECK_INT(count, 2);
    CHECK_INT(pvm_getmboxinfo("^h", &count, &infos), PvmOk);
    CHECK_INT(count, 0);
    CHECK_ERROR(pvm_getmboxinfo("[", &count, &infos), PvmBadParam);
  }
  meet();
  if (me == 2) {
    CHECK_INT(number_in(pvm_recvinfo(third, 0, PvmMboxReadAndDelete)), 21);
    CHECK_ERROR(pvm_recvinfo(third, 0, PvmMboxDefault), PvmNotFound);
  }
  meet();
}

static void waiting(void) {
  if (me == 1) CHECK_INT(number_in(pvm_recvinfo(box, 0, PvmMboxWaitForInfo)), 30);
  if (me == 0) {
    struct timeval tenth = {0, 100000};
    CHECK_INT(pvm_trecv(-1, 12345, &tenth), 0);
    CHECK_INT(pvm_putinfo(box, buffer_of(30), PvmMboxDefault), 0);
  }
  meet();
}

static void of_version_3_3(void) {
  int number = 0;
  if (me == 0) {
    CHECK_INT(pvm_insert(old, -1, 40), 0);
    CHECK_INT(pvm_insert(old, 5, 45), 5);
    CHECK_ERROR(pvm_insert(old, 5, 46), PvmExists);
    CHECK_ERROR(pvm_insert(old, 0, 46), PvmDupEntry); /* by its name of then */
    CHECK_ERROR(pvm_insert(old, -2, 46), PvmBadParam);
    CHECK_INT(pvm_insert(old, 3000000, 47), 3000000);
  }
  meet();
  if (me == 1) {
    CHECK_INT(pvm_lookup(old, 5, &number), 5);
    CHECK_INT(number, 45);
    CHECK_INT(pvm_lookup(old, -1, &number), 0);
    CHECK_INT(number, 40);
    CHECK_ERROR(pvm_lookup(old, 3, &number), PvmNotFound);
  }
  meet();
  if (me == 2) { /* who has not inserted it */
    CHECK_ERROR(pvm_lookup(old, -2, &number), PvmBadParam);
    CHECK_INT(pvm_delete(old, 5), PvmOk);
    CHECK_ERROR(pvm_delete(old, 5), PvmNotFound);
  }
  meet();
}

/* What a task has left goes with it, unless it is to last. */
static void owners(void) {
  struct pvmmboxinfo* infos;
  int count;
  if (me == 1) {
    pvm_putinfo("gone", buffer_of(50), PvmMboxDefault);
    pvm_putinfo("lasting", buffer_of(51), PvmMboxPersistent);
    CHECK_INT(pvm_exit(), PvmOk);
    CHECK(pvm_mytid() != tids[1]); /* it is another task from now on */
    CHECK_ERROR(pvm_recvinfo("gone", 0, PvmMboxDefault), PvmNotFound);
    CHECK_INT(number_in(pvm_recvinfo("lasting", 0, PvmMboxDefault)), 51);
    CHECK_INT(pvm_getmboxinfo("lasting", &count, &infos), PvmOk);
    CHECK(count == 1 && infos[0].mi_owners[0] == 0); /* nobody's */
  }
}

int main(int argc, char** argv) {
  begin(argv[0], argc > 0 ? 3 : 0);
  single();
  several();
  waiting();
  of_version_3_3();
  owners();
  return finish();
}
