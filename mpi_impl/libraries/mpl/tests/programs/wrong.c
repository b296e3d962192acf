/* Wrong calls, one by its name. For 5 tasks and more on nodes of which four are a partition. */
#include <mpl.h>
#include <stddef.h>
#include <string.h>

int main(int argc, char** argv) {
  int tasks, me, any = -1, id = 99, number = 0, bytes = 0, two = 2, negative = -7;
  int* const nowhere = NULL;
  mpc_environ(&tasks, &me);
  if (argc != 2) return 0;
  const char* what = argv[1];
  int four[4] = {0}, all[64] = {0};
  const int mine = me == 0 ? 8 : 16;
  if (tasks > 1 && strcmp(what, "longer") == 0) mpc_bcast(four, mine, 1, 0);
  if (tasks > 1 && strcmp(what, "shorter") == 0) mpc_gather(four, all, 24 - mine, 0, 0);
  if (tasks > 1 && strcmp(what, "other lengths") == 0) mpc_combine(four, all, mine, i_vadd, 0);
  if (tasks > 1 && strcmp(what, "other blocks") == 0) mpc_concat(four, all, me == 3 ? 8 : 16, 0);
  if (me != 0) return 0;
  if (strcmp(what, "task") == 0) mpc_bsend(&number, 4, 4, 1);
  if (strcmp(what, "type") == 0) mpc_bsend(&number, 4, 1, -2);
  if (strcmp(what, "data") == 0) mpc_bsend(nowhere, 4, 1, 1);
  if (strcmp(what, "negative") == 0) mpc_bsend(&number, (size_t)-4, 1, 1);
  if (strcmp(what, "too long") == 0) mpc_send(&number, (size_t)1 << 31, 1, 1, &id);
  if (strcmp(what, "negative room") == 0) mpc_bsendrecv(&me, 4, 1, 1, &number, (size_t)-1, &any, &bytes);
  if (strcmp(what, "negative broadcast") == 0) mpc_bcast(&number, (size_t)-4, 0, 0);
  if (strcmp(what, "negative combination") == 0) mpc_combine(&me, &number, (size_t)-1, i_vadd, 0);
  if (strcmp(what, "negative blocks") == 0) mpc_index(&me, &number, (size_t)-8, 0);
  if (strcmp(what, "many members") == 0) mpc_group(99, &me, 0, &id);
  if (strcmp(what, "source") == 0) mpc_brecv(&number, 4, &id, &any, &bytes);
  if (strcmp(what, "any type") == 0) mpc_brecv(&number, 4, &any, &negative, &bytes);
  if (strcmp(what, "no source") == 0) mpc_brecv(&number, 4, nowhere, &any, &bytes);
  if (strcmp(what, "id") == 0) mpc_wait(&id, &bytes);
  if (strcmp(what, "no id") == 0) mpc_wait(&any, &bytes);
  if (strcmp(what, "group") == 0) mpc_sync(8);
  if (strcmp(what, "member") == 0) mpc_bcast(&number, 4, 9, 0);
  if (strcmp(what, "not in it") == 0) mpc_group(1, &two, 0, &id);
  if (strcmp(what, "function") == 0) mpc_combine(&me, &number, 4, NULL, 0);
  if (strcmp(what, "nowhere to gather") == 0) mpc_gather(&me, NULL, 4, 0, 0);
  if (strcmp(what, "nothing to scatter") == 0) mpc_scatter(NULL, &number, 4, 0, 0);
  if (strcmp(what, "nowhere to reduce") == 0) mpc_reduce(&me, NULL, 4, 0, i_vadd, 0);
  if (strcmp(what, "query") == 0) mpc_task_query(&number, 1, 2);
  if (strcmp(what, "short") == 0) {
    mpc_send("ab", 2, 0, 1, &id);
    mpc_brecv(&number, 1, &any, &any, &bytes);
  }
  if (strcmp(what, "stop") == 0) mpc_stopall(3);
  if (strcmp(what, "wait") == 0) mpc_brecv(&number, 4, &any, &two, &bytes);
  return 0;
}
