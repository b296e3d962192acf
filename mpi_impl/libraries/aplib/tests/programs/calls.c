/* ranks: 4
 *
 * APlib's calls, each held to what it should do: the program says what is wrong, and "ok" at the end. */
#include <aplib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(int holds, const char* what) {
  if (holds) return;
  printf("cell %d: wrong: %s\n", l_cellid(), what);
  exit(1);
}
#define CHECK(condition) check((condition), #condition)

static int next_cell(void) { return (l_cellid() + 1) % l_ncells(); }
static int cell_before(void) { return (l_cellid() + l_ncells() - 1) % l_ncells(); }

static void receives_choose_by_cell_and_type(void) {
  int number = 0;
  l_message message;
  if (l_cellid() < 2) {
    const int seven = 7 + l_cellid(), eight = 80 + l_cellid();
    l_asend(2, 7, &seven, sizeof seven);
    l_asend(2, 8, &eight, sizeof eight);
  } else if (l_cellid() == 2) {
    CHECK(l_arecv(1, 8, &number, sizeof number, &message) == sizeof number && number == 81);
    CHECK(message.cell == 1 && message.type == 8 && message.bytes == sizeof number);
    CHECK(l_arecv(0, L_ANY, &number, sizeof number, &message) == sizeof number && number == 7 && message.type == 7);
    CHECK(l_arecv(L_ANY, 8, &number, sizeof number, &message) == sizeof number && number == 80 && message.cell == 0);
    CHECK(l_arecv(L_ANY, L_ANY, &number, sizeof number, NULL) == sizeof number && number == 8);
  }
}

static void messages_of_one_pair_stay_in_order(void) {
  for (int i = 0; i < 20; ++i) {
    int number = i;
    if (l_cellid() == 2) l_asend(3, 1, &number, sizeof number);
    if (l_cellid() == 3) {
      l_arecv(2, 1, &number, sizeof number, NULL);
      CHECK(number == i);
    }
  }
}

static void as_much_is_copied_as_there_is_room_for(void) {
  const char sent[6] = "abcde";
  char got[6] = "vwxyz";
  l_asend(l_cellid(), 3, sent, sizeof sent);
  CHECK(l_arecv(l_cellid(), 3, got, 2, NULL) == sizeof sent);
  CHECK(strcmp(got, "abxyz") == 0);
  l_asend(l_cellid(), 3, NULL, 0);
  CHECK(l_arecv(l_cellid(), 3, NULL, 0, NULL) == 0);
}

static void probes_see_what_has_come_and_leave_it_there(void) {
  l_message message = {-1, -1, -1};
  CHECK(l_aprobe(L_ANY, 33, &message) == 0 && message.cell == -1);
  const double number = 0.5;
  l_asend(l_cellid(), 33, &number, sizeof number);
  while (!l_aprobe(l_cellid(), L_ANY, NULL)) {
  }
  CHECK(l_aprobe(L_ANY, 33, &message) == 1);
  CHECK(message.cell == l_cellid() && message.type == 33 && message.bytes == sizeof number);
  double got = 0;
  CHECK(l_arecv(L_ANY, 33, &got, sizeof got, NULL) == sizeof got && got == number);
}

static void asynchronous_messages_are_done_when_they_say_so(void) {
  enum { COUNT = 5 };
  int sent[COUNT], received[COUNT], sends[COUNT], receives[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    received[i] = -1;
    CHECK((receives[i] = l_begin_recv(cell_before(), 100 + i, &received[i], sizeof received[i])) >= 0);
  }
  for (int i = COUNT - 1; i >= 0; --i) {
    sent[i] = 10 * l_cellid() + i;
    CHECK((sends[i] = l_begin_send(next_cell(), 100 + i, &sent[i], sizeof sent[i])) >= 0);
  }
  for (int i = 0; i < COUNT; ++i) {
    l_message message = {-1, -1, -1};
    if (i % 2 == 0)
      CHECK(l_wait(receives[i], &message) == sizeof(int));
    else
      while (!l_test(receives[i], &message)) {
      }
    CHECK(message.cell == cell_before() && message.type == 100 + i && message.bytes == sizeof(int));
    CHECK(received[i] == 10 * cell_before() + i);
  }
  for (int i = 0; i < COUNT; ++i) l_wait(sends[i], NULL);
  int number = 5, got = 0;
  const int receive = l_begin_recv(l_cellid(), 200, &got, sizeof got);
  CHECK(l_test(receive, NULL) == 0 && got == 0); /* nobody has sent it */
  l_asend(l_cellid(), 200, &number, sizeof number);
  while (!l_aprobe(l_cellid(), 200, NULL) && !l_test(receive, NULL)) {
  }
  CHECK(got == 5);
}

static void broadcasts_reach_all_others(void) {
  for (int root = 0; root < l_ncells(); ++root) {
    double numbers[50], got[50];
    for (int i = 0; i < 50; ++i) numbers[i] = root + 0.25 * i;
    if (l_cellid() == root)
      cbroad(root, numbers, sizeof numbers);
    else
      CHECK(l_arecv(root, root, got, sizeof got, NULL) == sizeof got && memcmp(got, numbers, sizeof got) == 0);
  }
}

static void reductions_leave_their_result_with_all(void) {
  const int me = l_cellid(), cells = l_ncells(), sum = cells * (cells - 1) / 2;
  int i[3] = {me, me, me};
  float f[3] = {me + 0.5f, me + 0.5f, me + 0.5f};
  double d[3] = {me + 0.25, me + 0.25, me + 0.25};
  xy_isum(&i[0], 1);
  CHECK(i[0] == sum);
  xy_imax(&i[1], 1);
  CHECK(i[1] == cells - 1);
  xy_imin(&i[2], 1);
  CHECK(i[2] == 0);
  xy_fsum(&f[0], 1);
  CHECK(f[0] == sum + 0.5f * cells);
  xy_fmax(&f[1], 1);
  CHECK(f[1] == cells - 0.5f);
  xy_fmin(&f[2], 1);
  CHECK(f[2] == 0.5f);
  xy_dsum(&d[0], 1);
  CHECK(d[0] == sum + 0.25 * cells);
  xy_dmax(&d[1], 1);
  CHECK(d[1] == cells - 0.75);
  xy_dmin(&d[2], 1);
  CHECK(d[2] == 0.25);
}

static void nobody_passes_a_barrier_before_all_are_there(void) {
  const double arrived = l_clock();
  double last = arrived;
  xy_dmax(&last, 1);
  sync();
  CHECK(l_clock() >= last);
}

int main(void) {
  CHECK(l_ncells() == 4 && l_cellid() >= 0 && l_cellid() < 4);
  receives_choose_by_cell_and_type();
  messages_of_one_pair_stay_in_order();
  as_much_is_copied_as_there_is_room_for();
  probes_see_what_has_come_and_leave_it_there();
  asynchronous_messages_are_done_when_they_say_so();
  sync();
  broadcasts_reach_all_others();
  reductions_leave_their_result_with_all();
  nobody_passes_a_barrier_before_all_are_there();
  if (l_cellid() == 0) printf("ok\n");
  return 0;
}
