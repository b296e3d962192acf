/* For PVM programs that test themselves: one task starts the others, which run the same program, and all know each
 * other. */
#ifndef HINDCAST_TESTS_PVM_CHECK_H
#define HINDCAST_TESTS_PVM_CHECK_H

#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#define UNUSED __attribute__((unused)) /* not every program uses all of them */

#define CHECK(condition)                                                                            \
  do {                                                                                              \
    if (!(condition)) {                                                                             \
      fprintf(stderr, "%s:%d: task t%x: wrong: %s\n", __FILE__, __LINE__, pvm_mytid(), #condition); \
      exit(99);                                                                                     \
    }                                                                                               \
  } while (0)

#define CHECK_INT(actual, expected)                                                                               \
  do {                                                                                                            \
    const long check_a = (long)(actual), check_e = (long)(expected);                                              \
    if (check_a != check_e) {                                                                                     \
      fprintf(stderr, "%s:%d: task t%x: %s is %ld, not %ld\n", __FILE__, __LINE__, pvm_mytid(), #actual, check_a, \
              check_e);                                                                                           \
      exit(99);                                                                                                   \
    }                                                                                                             \
  } while (0)

/* An error code that is expected, and not to be told. */
#define CHECK_ERROR(call, expected) \
  do {                              \
    pvm_setopt(PvmAutoErr, 0);      \
    CHECK_INT(call, expected);      \
    pvm_setopt(PvmAutoErr, 1);      \
  } while (0)

enum { tag_of_tids = 999, tag_of_end = 998, tasks_max = 64 };

UNUSED static int tids[tasks_max]; /* of all tasks, the first one before those that it has started */
UNUSED static int tasks, me;

/* All tasks call it first. */
UNUSED static void begin(char* program, int count) {
  const int mine = pvm_mytid();
  tasks = count;
  CHECK(mine > 0);
  if (pvm_parent() == PvmNoParent) {
    tids[0] = mine;
    if (count > 1) CHECK_INT(pvm_spawn(program, 0, PvmTaskDefault, "", count - 1, tids + 1), count - 1);
    pvm_initsend(PvmDataDefault);
    pvm_pkint(tids, count, 1);
    CHECK_INT(pvm_mcast(tids + 1, count - 1, tag_of_tids), PvmOk);
  } else {
    CHECK(pvm_recv(pvm_parent(), tag_of_tids) > 0);
    CHECK_INT(pvm_upkint(tids, count, 1), PvmOk);
  }
  for (me = 0; tids[me] != mine; ++me) CHECK(me < count);
}

/* All tasks return it: the first waits for the others and says that all is well. */
UNUSED static int finish(void) {
  struct timeval now;
  gettimeofday(&now, 0);
  printf("task %d has come to %ld.%06ld s\n", me, (long)now.tv_sec, (long)now.tv_usec);
  fflush(stdout);
  pvm_setcontext(PvmBaseContext);
  if (me == 0) {
    for (int i = 1; i < tasks; ++i) CHECK(pvm_recv(-1, tag_of_end) > 0);
    printf("ok\n");
  } else {
    pvm_initsend(PvmDataRaw);
    CHECK_INT(pvm_send(tids[0], tag_of_end), PvmOk);
  }
  return pvm_exit();
}

#endif
