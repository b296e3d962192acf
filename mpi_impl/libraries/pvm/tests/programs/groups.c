/* tasks: 5
 * Groups: who is in them, barriers, and data that is moved within them. */
#include <unistd.h>

#include "check.h"

static char all[] = "all", some[] = "some", nobody[] = "nobody", nameless[] = "";

static void membership(void) {
  CHECK_ERROR(pvm_joingroup(nameless), PvmNullGroup);
  CHECK_ERROR(pvm_joingroup(0), PvmNullGroup);
  CHECK_ERROR(pvm_gsize(nobody), PvmNoGroup);
  const int instance = pvm_joingroup(all);
  CHECK(instance >= 0 && instance < tasks);
  CHECK_ERROR(pvm_joingroup(all), PvmDupGroup);
  CHECK_INT(pvm_barrier(all, tasks), PvmOk);
  CHECK_INT(pvm_gsize(all), tasks);
  CHECK_INT(pvm_getinst(all, pvm_mytid()), instance);
  CHECK_INT(pvm_gettid(all, instance), pvm_mytid());
  for (int i = 0; i < tasks; ++i) CHECK_INT(pvm_getinst(all, pvm_gettid(all, i)), i);
  CHECK_ERROR(pvm_gettid(all, tasks), PvmNoInst);
  CHECK_ERROR(pvm_gettid(all, -1), PvmNoInst);
  CHECK_ERROR(pvm_gettid(nobody, 0), PvmNoGroup);
  CHECK_ERROR(pvm_getinst(all, 12345), PvmNotInGroup);
  CHECK_ERROR(pvm_getinst(all, 0), PvmBadParam);
  CHECK_ERROR(pvm_getinst(nobody, 12345), PvmNoGroup);
  CHECK_ERROR(pvm_barrier(all, 0), PvmBadParam);
  CHECK_ERROR(pvm_barrier(nobody, 1), PvmNoGroup);
  CHECK_ERROR(pvm_lvgroup(nobody), PvmNoGroup);
}

/* Instances are filled up again. */
static void leaving(void) {
  if (me == 1) {
    CHECK_INT(pvm_joingroup(some), 0);
    CHECK_ERROR(pvm_barrier(nobody, 1), PvmNoGroup);
  }
  CHECK_INT(pvm_barrier(all, tasks), PvmOk);
  if (me == 2) {
    CHECK_ERROR(pvm_lvgroup(some), PvmNotInGroup);
    CHECK_ERROR(pvm_barrier(some, 1), PvmNotInGroup);
    CHECK_INT(pvm_joingroup(some), 1);
  }
  CHECK_INT(pvm_barrier(all, tasks), PvmOk);
  if (me == 1) CHECK_INT(pvm_lvgroup(some), PvmOk);
  CHECK_INT(pvm_barrier(all, tasks), PvmOk);
  CHECK_INT(pvm_gsize(some), 1);
  CHECK_ERROR(pvm_gettid(some, 0), PvmNoInst);
  CHECK_INT(pvm_gettid(some, 1), tids[2]);
  CHECK_INT(pvm_barrier(all, tasks), PvmOk);
  if (me == 3) CHECK_INT(pvm_joingroup(some), 0);
  CHECK_INT(pvm_barrier(all, -1), PvmOk); /* of all members */
  if (me == 2 || me == 3) CHECK_INT(pvm_lvgroup(some), PvmOk);
  CHECK_INT(pvm_barrier(all, tasks), PvmOk);
  CHECK_ERROR(pvm_gsize(some), PvmNoGroup);
}

static void messages(void) {
  int number = 17, got = 0;
  if (me == 3) {
    pvm_setsbuf(0);
    CHECK_ERROR(pvm_bcast(all, 5), PvmNoBuf);
    pvm_initsend(PvmDataDefault);
    pvm_pkint(&number, 1, 1);
    CHECK_ERROR(pvm_bcast(nobody, 5), PvmNoGroup);
    CHECK_ERROR(pvm_bcast(nameless, 5), PvmNullGroup);
    CHECK_ERROR(pvm_bcast(all, -5), PvmBadParam);
    CHECK_INT(pvm_bcast(all, 5), PvmOk);
    CHECK_INT(pvm_nrecv(-1, 5), 0);
  } else {
    CHECK(pvm_recv(tids[3], 5) > 0);
    pvm_upkint(&got, 1, 1);
    CHECK_INT(got, 17);
  }
}

static void blocks(void) {
  enum { count = 3 };
  const int instance = pvm_getinst(all, pvm_mytid()), root = tasks - 1;
  int own[count], every[count * tasks_max], back[count];
  for (int i = 0; i < count; ++i) own[i] = 100 * instance + i;
  CHECK_INT(pvm_gather(every, own, count, PVM_INT, 6, all, root), PvmOk);
  if (instance == root)
    for (int i = 0; i < count * tasks; ++i) CHECK_INT(every[i], 100 * (i / count) + i % count);
  CHECK_INT(pvm_scatter(back, every, count, PVM_INT, 7, all, root), PvmOk);
  CHECK(memcmp(own, back, sizeof own) == 0);
  CHECK_ERROR(pvm_gather(every, own, -1, PVM_INT, 6, all, root), PvmBadParam);
  CHECK_ERROR(pvm_gather(every, own, 1, 99, 6, all, root), PvmBadParam);
  CHECK_ERROR(pvm_gather(every, own, 1, PVM_INT, 6, nobody, root), PvmNoGroup);
  CHECK_ERROR(pvm_gather(every, own, 1, PVM_INT, 6, nameless, root), PvmNullGroup);
  CHECK_ERROR(pvm_scatter(back, every, 1, PVM_INT, -6, all, root), PvmBadParam);
  CHECK_ERROR(pvm_scatter(back, every, 1, PVM_INT, 6, nobody, root), PvmNoGroup);
  if (instance != tasks) CHECK_ERROR(pvm_gather(every, own, 1, PVM_INT, 6, all, 50), PvmNoInst);
}

/* The first `digits` of each number. */
static void concatenate(int* type, void* x, void* y, int* count, int* info) {
  *info = *type == PVM_INT ? PvmOk : PvmBadParam;
  for (int i = 0; i < *count; ++i) ((int*)x)[i] = ((int*)x)[i] * 10 + ((int*)y)[i];
}

#define REDUCE(type, name, function, mine, expected)                   \
  do {                                                                 \
    type value[2] = {(type)(mine), (type)1};                           \
    CHECK_INT(pvm_reduce(function, value, 2, name, 8, all, 0), PvmOk); \
    if (instance == 0) CHECK(value[0] == (type)(expected));            \
  } while (0)

static int of_bytes(void (*function)(int*, void*, void*, int*, int*)) {
  int type = PVM_BYTE, count = 1, info = PvmSysErr;
  char x = 1, y = 2;
  function(&type, &x, &y, &count, &info);
  return info;
}

static void reductions(void) {
  const int instance = pvm_getinst(all, pvm_mytid()), n = tasks;
  int value;
  double complex_sum[2] = {instance, 1};
  float complex_product[2] = {0, 1};
  REDUCE(int, PVM_INT, PvmSum, instance, n*(n - 1) / 2);
  REDUCE(int, PVM_INT, PvmMax, -instance, 0);
  REDUCE(int, PVM_INT, PvmMin, -instance, 1 - n);
  REDUCE(int, PVM_INT, PvmProduct, instance + 1, 120);
  REDUCE(double, PVM_DOUBLE, PvmSum, 0.5 * instance, 0.25 * n * (n - 1));
  REDUCE(float, PVM_FLOAT, PvmProduct, 0.5f, 0.03125f);
  REDUCE(long, PVM_LONG, PvmMax, instance * 10000000000L, (n - 1) * 10000000000L);
  REDUCE(short, PVM_SHORT, PvmMin, instance - 2, -2);
  REDUCE(char, PVM_BYTE, PvmMax, instance, n - 1);
  REDUCE(unsigned, PVM_UINT, PvmMax, 3000000000u + (unsigned)instance, 3000000000u + (unsigned)n - 1);
  REDUCE(unsigned long, PVM_ULONG, PvmSum, 1, n);
  REDUCE(unsigned short, PVM_USHORT, PvmMax, 60000 + instance, 60000 + n - 1);
  CHECK_INT(pvm_reduce(PvmSum, complex_sum, 1, PVM_DCPLX, 9, all, 0), PvmOk);
  if (instance == 0) CHECK(complex_sum[0] == 10 && complex_sum[1] == 5);
  CHECK_INT(pvm_reduce(PvmProduct, complex_product, 1, PVM_CPLX, 9, all, 0), PvmOk);
  if (instance == 0) CHECK(complex_product[0] == 0 && complex_product[1] == 1); /* i^5 */
  value = instance + 1;
  CHECK_INT(pvm_reduce(concatenate, &value, 1, PVM_INT, 10, all, 0), PvmOk);
  if (instance == 0) CHECK_INT(value, 12345);
  CHECK_ERROR(pvm_reduce(0, &value, 1, PVM_INT, 10, all, 0), PvmBadParam);
  CHECK_ERROR(pvm_reduce(PvmSum, &value, 1, PVM_INT, 10, nobody, 0), PvmNoGroup);
  CHECK_ERROR(pvm_reduce(PvmSum, &value, 1, PVM_INT, -10, all, 0), PvmBadParam);
  CHECK_ERROR(pvm_reduce(PvmSum, &value, 1, PVM_BYTE, 10, all, 0), PvmBadParam);
  CHECK_ERROR(pvm_reduce(PvmProduct, &value, 1, PVM_BYTE, 10, all, 0), PvmBadParam);
  CHECK_INT(of_bytes(PvmSum), PvmBadParam);
  CHECK_INT(of_bytes(PvmProduct), PvmBadParam);
  CHECK_INT(of_bytes(PvmMax), PvmOk);
  CHECK_INT(of_bytes(PvmMin), PvmOk);
  CHECK_ERROR(pvm_reduce(PvmMax, &value, 1, PVM_STR, 10, all, 0), PvmBadParam);
}

static int times_refused;
static void refuse_second(int* type, void* x, void* y, int* count, int* info) {
  (void)type, (void)x, (void)y, (void)count;
  *info = ++times_refused < 2 ? PvmOk : PvmOverflow;
}

/* An error of the program's function is the root's result; nobody waits for ever. */
static void failing_reduction(void) {
  const int instance = pvm_getinst(all, pvm_mytid());
  int value = 1;
  if (instance == 0) CHECK_ERROR(pvm_reduce(refuse_second, &value, 1, PVM_INT, 11, all, 0), PvmOverflow);
  if (instance != 0) CHECK_INT(pvm_reduce(refuse_second, &value, 1, PVM_INT, 11, all, 0), PvmOk);
  CHECK_INT(times_refused, instance == 0 ? 2 : 0);
}

/* All who meet say how many they are. */
static void other_counts(void) {
  static char two[] = "two";
  struct timeval tenth = {0, 100000};
  if (me > 1) return;
  CHECK(pvm_joingroup(two) >= 0);
  if (me == 1) CHECK_INT(pvm_trecv(-1, 12345, &tenth), 0);
  if (me == 1) CHECK_ERROR(pvm_barrier(two, 3), PvmMismatch);
  CHECK_INT(pvm_barrier(two, 2), PvmOk);
}

/* From then on nobody asks the group server who is in it. */
static void freezing(void) {
  static char frozen[] = "frozen";
  struct timeval before, after;
  CHECK(pvm_joingroup(frozen) >= 0);
  CHECK_ERROR(pvm_freezegroup(frozen, 0), PvmBadParam);
  CHECK_ERROR(pvm_freezegroup(nobody, 1), PvmNoGroup);
  CHECK_INT(pvm_freezegroup(frozen, tasks), tasks);
  CHECK_ERROR(pvm_freezegroup(frozen, tasks), PvmDupGroup);
  gettimeofday(&before, 0);
  CHECK_INT(pvm_gsize(frozen), tasks);
  CHECK(pvm_gettid(frozen, 0) > 0);
  gettimeofday(&after, 0);
  CHECK(1000000 * (after.tv_sec - before.tv_sec) + after.tv_usec - before.tv_usec < 10); /* a request takes more */
  CHECK_INT(pvm_barrier(frozen, tasks), PvmOk);
  /* The first to leave ends it for those at a barrier, and for barriers to come. */
  if (pvm_getinst(frozen, pvm_mytid()) == 0) {
    sleep(1);
    CHECK_INT(pvm_lvgroup(frozen), PvmOk);
    CHECK_ERROR(pvm_joingroup(frozen), PvmDenied);
  } else {
    CHECK_ERROR(pvm_barrier(frozen, tasks), PvmNoGroup);
    CHECK_ERROR(pvm_barrier(frozen, tasks), PvmNoGroup);
    CHECK_INT(pvm_lvgroup(frozen), PvmOk);
  }
  /* When all have left, its name is free. */
  CHECK_INT(pvm_barrier(all, tasks), PvmOk);
  CHECK_ERROR(pvm_lvgroup(frozen), PvmNoGroup);
  CHECK_INT(pvm_barrier(all, tasks), PvmOk);
  CHECK(pvm_joingroup(frozen) >= 0);
}

/* Others know such a group from the first call on, until they leave it. */
static void frozen_from_outside(void) {
  static char pair[] = "pair";
  struct timeval before, after;
  if (me < 3) CHECK_INT(pvm_joingroup(pair) >= 0, 1);
  CHECK_INT(pvm_barrier(all, tasks), PvmOk);
  if (me == 0) CHECK_INT(pvm_lvgroup(pair), PvmOk); /* which leaves a gap, or does not */
  CHECK_INT(pvm_barrier(all, tasks), PvmOk);
  if (me == 1 || me == 2) CHECK_INT(pvm_freezegroup(pair, 2), 2);
  CHECK_INT(pvm_gsize(pair), 2);
  CHECK_INT(pvm_barrier(all, tasks), PvmOk);
  if (me == 4) {
    CHECK_INT(pvm_gsize(pair), 2);
    gettimeofday(&before, 0);
    CHECK_INT(pvm_gsize(pair), 2);
    CHECK(pvm_getinst(pair, tids[2]) >= 0);
    gettimeofday(&after, 0);
    CHECK(1000000 * (after.tv_sec - before.tv_sec) + after.tv_usec - before.tv_usec < 10);
    CHECK_ERROR(pvm_lvgroup(pair), PvmNotInGroup);
    gettimeofday(&before, 0);
    CHECK_INT(pvm_gsize(pair), 2);
    gettimeofday(&after, 0);
    CHECK(1000000 * (after.tv_sec - before.tv_sec) + after.tv_usec - before.tv_usec > 10);
  }
  CHECK_INT(pvm_barrier(all, tasks), PvmOk);
}

int main(int argc, char** argv) {
  begin(argv[0], argc > 0 ? 5 : 0);
  membership();
  leaving();
  messages();
  CHECK_INT(pvm_barrier(all, tasks), PvmOk);
  blocks();
  CHECK_INT(pvm_barrier(all, tasks), PvmOk);
  reductions();
  CHECK_INT(pvm_barrier(all, tasks), PvmOk);
  failing_reduction();
  CHECK_INT(pvm_barrier(all, tasks), PvmOk);
  other_counts();
  CHECK_INT(pvm_barrier(all, tasks), PvmOk);
  freezing();
  CHECK_INT(pvm_barrier(all, tasks), PvmOk);
  frozen_from_outside();
  return finish();
}
