/* tasks: 4
 *
 * MPL's calls, each held to what it should do: the program says what is wrong, and "right" at the end. */
#include <mpl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tasks, me, any, all_messages, all_tasks;

static void check(int holds, const char* what, int line) {
  if (holds) return;
  printf("task %d: line %d: wrong: %s\n", me, line, what);
  exit(1);
}
#define CHECK(condition) check((condition), #condition, __LINE__)

static void queries(void) {
  int numbers[4];
  mpc_task_query(numbers, 2, 2);
  CHECK(numbers[0] == 0 && numbers[1] == 2147483647);
  mpc_task_query(numbers, 4, 3);
  any = numbers[0];
  all_messages = numbers[1];
  all_tasks = numbers[3];
  CHECK(any != all_messages && any < 0 && numbers[2] < 0);
}

static void receives_choose_by_type_and_source(void) {
  int number = 0, source = 0, type = 8, bytes = 0;
  if (me == 0) {
    const int seven = 7, eight = 8;
    mpc_bsend(&seven, sizeof seven, 1, 7);
    CHECK(mpc_bsend(&eight, sizeof eight, 1, 8) == 0);
  } else if (me == 1) {
    mpc_brecv(&number, sizeof number, &source, &type, &bytes);
    CHECK(number == 8 && bytes == sizeof number);
    source = any;
    type = any;
    mpc_brecv(&number, sizeof number, &source, &type, &bytes);
    CHECK(number == 7 && source == 0 && type == 7);
  }
}

static void messages_of_one_pair_stay_in_order(void) {
  static char data[1000];
  for (int i = 0; i < 20; ++i) {
    const size_t length = i % 2 == 0 ? 10 : sizeof data;
    data[0] = (char)i;
    if (me == 2) mpc_bsend(data, length, 3, 1);
    if (me == 3) {
      int source = 2, type = 1, bytes = 0;
      mpc_brecv(data, sizeof data, &source, &type, &bytes);
      CHECK(data[0] == i && bytes == (int)length);
    }
  }
}

static void messages_begun_are_over_when_they_say_so(void) {
  enum { COUNT = 5 };
  int sent[COUNT], received[COUNT], sends[COUNT], receives[COUNT], sources[COUNT], types[COUNT], bytes;
  for (int i = 0; i < COUNT; ++i) {
    sources[i] = any;
    types[i] = 100 + i;
    received[i] = -1;
    CHECK(mpc_recv(&received[i], sizeof received[i], &sources[i], &types[i], &receives[i]) == 0);
  }
  for (int i = 0; i < COUNT; ++i) {
    sent[i] = 10 * me + i;
    CHECK(mpc_send(&sent[i], sizeof sent[i], (me + 1) % tasks, 100 + i, &sends[i]) == 0);
  }
  const int before = (me + tasks - 1) % tasks;
  mpc_wait(&receives[2], &bytes);
  CHECK(received[2] == 10 * before + 2 && sources[2] == before && types[2] == 102 && bytes == sizeof(int));
  while ((bytes = mpc_status(receives[4])) < 0) CHECK(bytes == -1);
  CHECK(bytes == sizeof(int) && received[4] == 10 * before + 4);
  int id = any;
  mpc_wait(&id, &bytes);
  CHECK(id != any);
  id = all_messages;
  mpc_wait(&id, &bytes);
  for (int i = 0; i < COUNT; ++i) CHECK(received[i] == 10 * before + i);
}

static void memory_is_the_programs_again(void) {
  static int data[1000];
  int source = 0, type = 5, bytes, id;
  if (me == 0) {
    for (int i = 0; i < 1000; ++i) data[i] = i;
    mpc_bsend(data, sizeof data, 1, 5);
    memset(data, 0, sizeof data);
    data[0] = 42;
    mpc_send(data, 4, 1, 5, &id);
    mpc_wait(&id, &bytes);
    data[0] = 0;
  } else if (me == 1) {
    mpc_brecv(data, sizeof data, &source, &type, &bytes);
    for (int i = 0; i < 1000; ++i) CHECK(data[i] == i);
    mpc_brecv(data, sizeof data, &source, &type, &bytes);
    CHECK(data[0] == 42 && bytes == 4);
  }
}

static void probes(void) {
  int source = any, type = any, bytes = 0;
  if (me == 1) {
    mpc_probe(&source, &type, &bytes);
    CHECK(bytes == -1);
    mpc_sync(all_tasks);
    do {
      source = 0;
      type = any;
      mpc_probe(&source, &type, &bytes);
    } while (bytes < 0);
    CHECK(source == 0 && type == 9 && bytes == 3);
    char text[3];
    mpc_brecv(text, sizeof text, &source, &type, &bytes);
    CHECK(memcmp(text, "abc", 3) == 0);
  } else {
    mpc_sync(all_tasks);
    if (me == 0) mpc_bsend("abc", 3, 1, 9);
  }
}

static void sends_and_receives_at_once(void) {
  int mine = me, other = -1, source = (me + 1) % tasks, bytes;
  mpc_bsendrecv(&mine, sizeof mine, (me + tasks - 1) % tasks, 3, &other, sizeof other, &source, &bytes);
  CHECK(other == (me + 1) % tasks && bytes == sizeof other);
}

/* A digit after what is before it: the order matters, and how the calls are grouped does not. */
struct digits {
  int times, plus;
};
static void append(const void* in1, const void* in2, void* out, int* bytes) {
  const struct digits *first = in1, *second = in2;
  CHECK(*bytes == sizeof(struct digits));
  *(struct digits*)out = (struct digits){first->times * second->times, first->plus * second->times + second->plus};
}

/* All of a group's calls. */
static void collectives(int group) {
  int size, rank, task, first, bytes_of[2] = {me, me + 100};
  CHECK(mpc_getsize(&size, group) == 0);
  CHECK(mpc_getrank(&rank, me, group) == 0 && rank < size);
  mpc_gettaskid(rank, &task, group);
  mpc_gettaskid(0, &first, group);
  CHECK(task == me);
  int number = me == first ? 77 : 0;
  mpc_bcast(&number, sizeof number, first, group);
  CHECK(number == 77);
  int all[8], blocks[8], received[8];
  CHECK(mpc_concat(&me, all, sizeof me, group) == 0);
  for (int i = 0; i < size; ++i) {
    mpc_gettaskid(i, &task, group);
    CHECK(all[i] == task);
    blocks[i] = 10 * rank + i;
  }
  mpc_index(blocks, received, sizeof(int), group);
  for (int i = 0; i < size; ++i) CHECK(received[i] == 10 * i + rank);
  mpc_gettaskid(size - 1, &task, group);
  mpc_gather(bytes_of, received, sizeof(int), task, group);
  if (me == task)
    for (int i = 0; i < size; ++i) CHECK(received[i] == all[i]);
  mpc_scatter(me == task ? received : NULL, &number, sizeof(int), task, group);
  CHECK(number == me);
  const double half = me + 0.5;
  double sum = 0, expected = 0;
  for (int i = 0; i < size; ++i) expected += all[i] + 0.5;
  mpc_combine(&half, &sum, sizeof sum, d_vadd, group);
  CHECK(sum == expected);
  int in_order = 0, digits = 0;
  for (int i = 0; i < size; ++i) digits = i == 0 ? all[0] : 10 * digits + all[i];
  const struct digits mine = {10, me};
  struct digits together = {0, 0};
  mpc_reduce(&mine, &together, sizeof mine, task, append, group);
  if (me == task) CHECK(together.plus == digits);
  mpc_prefix(&me, &in_order, sizeof in_order, i_vmax, group);
  for (int i = 0; i <= rank; ++i) CHECK(in_order >= all[i]);
  number = -1;
  mpc_shift(&me, &number, sizeof me, 1, 0, group);
  CHECK(number == all[(rank + size - 1) % size]);
  number = -1;
  mpc_shift(&me, &number, sizeof me, 1, 1, group);
  CHECK(number == (rank == 0 ? -1 : all[rank - 1]));
  CHECK(mpc_sync(group) == 0);
}

#define GIVES(function, in1, in2, out, first, second) \
  function(in1, in2, out, &bytes);                    \
  CHECK(out[0] == first && out[1] == second)

/* Two numbers of each type by each of the operations, in the calls of a group and by themselves. */
static void arithmetic(void) {
  const int i[] = {-7, 3}, j[] = {2, 5};
  const float s[] = {-1.5f, 4}, t[] = {2, 0.5f};
  const double d[] = {-0.25, 8}, e[] = {4, -3};
  int whole[2], bytes = sizeof whole;
  GIVES(i_vadd, i, j, whole, -5, 8);
  GIVES(i_vmul, i, j, whole, -14, 15);
  GIVES(i_vmax, i, j, whole, 2, 5);
  GIVES(i_vmin, i, j, whole, -7, 3);
  float single[2];
  GIVES(s_vadd, s, t, single, 0.5f, 4.5f);
  GIVES(s_vmul, s, t, single, -3, 2);
  GIVES(s_vmax, s, t, single, 2, 4);
  GIVES(s_vmin, s, t, single, -1.5f, 0.5f);
  double real[2];
  bytes = sizeof real;
  GIVES(d_vadd, d, e, real, 3.75, 5);
  GIVES(d_vmul, d, e, real, -1, -24);
  GIVES(d_vmax, d, e, real, 4, 8);
  GIVES(d_vmin, d, e, real, -0.25, -3);
  const int both[] = {me, -me};
  mpc_combine(both, whole, sizeof both, i_vmin, all_tasks);
  CHECK(whole[0] == 0 && whole[1] == 1 - tasks);
}

static void groups(void) {
  int group, label, members[8], list[] = {3, 1};
  collectives(all_tasks);
  if (me % 2 == 1) {
    CHECK(mpc_group(2, list, 5, &group) == 0);
    CHECK(mpc_getlabel(&label, group) == 0);
    mpc_getmembers(members, group);
    CHECK(label == 5 && members[0] == 3 && members[1] == 1);
    collectives(group);
  }
  CHECK(mpc_partition(all_tasks, -me, me % 2, &group) == 0);
  mpc_getmembers(members, group);
  CHECK(members[0] == 2 + me % 2 && members[1] == me % 2);
  collectives(group);
}

int main(void) {
  mpc_environ(&tasks, &me);
  CHECK(tasks == 4);
  queries();
  receives_choose_by_type_and_source();
  messages_of_one_pair_stay_in_order();
  messages_begun_are_over_when_they_say_so();
  memory_is_the_programs_again();
  probes();
  sends_and_receives_at_once();
  arithmetic();
  groups();
  mpc_sync(all_tasks);
  if (me == 0) printf("right\n");
  return 0;
}
