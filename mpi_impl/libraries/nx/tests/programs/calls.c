/* ranks: 4
 *
 * NX's calls, each held to what it should do: the program says what is wrong, and "ok" at the end. */
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(int holds, const char* what) {
  if (holds) return;
  printf("node %ld: wrong: %s\n", mynode(), what);
  exit(1);
}
#define CHECK(condition) check((condition), #condition)

static void receives_choose_by_type(void) {
  int number = 0;
  if (mynode() == 0) {
    const int seven = 7, eight = 8;
    csend(7, &seven, sizeof seven, 1, 0);
    csend(8, &eight, sizeof eight, 1, 0);
  } else if (mynode() == 1) {
    crecv(8, &number, sizeof number);
    CHECK(number == 8);
    CHECK(infocount() == sizeof number && infonode() == 0 && infotype() == 8);
    crecv(NX_ANY, &number, sizeof number);
    CHECK(number == 7 && infotype() == 7);
  }
}

static void messages_of_one_pair_stay_in_order(void) {
  for (int i = 0; i < 20; ++i) {
    int number = i;
    if (mynode() == 2) csend(1, &number, sizeof number, 3, 0);
    if (mynode() == 3) {
      crecv(1, &number, sizeof number);
      CHECK(number == i);
    }
  }
}

static void asynchronous_messages_are_done_when_they_say_so(void) {
  enum { COUNT = 5 };
  int sent[COUNT], received[COUNT];
  long sends[COUNT], receives[COUNT];
  const long next = (mynode() + 1) % numnodes(), before = (mynode() + numnodes() - 1) % numnodes();
  for (int i = 0; i < COUNT; ++i) {
    received[i] = -1;
    receives[i] = irecv(100 + i, &received[i], sizeof received[i]);
  }
  for (int i = COUNT - 1; i >= 0; --i) {
    sent[i] = (int)(10 * mynode()) + i;
    sends[i] = isend(100 + i, &sent[i], sizeof sent[i], next, 0);
    CHECK(sends[i] != receives[i]);
  }
  for (int i = 0; i < COUNT; ++i) {
    msgwait(sends[i]);
    sent[i] = -2; /* which nobody sees */
    if (i % 2 == 0)
      msgwait(receives[i]);
    else
      while (!msgdone(receives[i])) {
      }
    CHECK(received[i] == 10 * before + i);
    CHECK(infonode() == before && infotype() == 100 + i);
  }
}

static void probes_leave_the_message(void) {
  char text[8] = "";
  if (mynode() == 0) {
    gsync();
    csend(5, "abcdefg", 8, 1, 0);
  } else if (mynode() == 1) {
    CHECK(!iprobe(5) && !iprobe(NX_ANY));
    gsync();
    cprobe(5);
    CHECK(infocount() == 8 && infonode() == 0);
    CHECK(iprobe(NX_ANY) && infotype() == 5);
    CHECK(!iprobe(6));
    crecv(5, text, sizeof text);
    CHECK(strcmp(text, "abcdefg") == 0);
    CHECK(!iprobe(5));
  } else {
    gsync();
  }
}

static void a_send_to_all_reaches_all_others(void) {
  int number = 42;
  if (mynode() == 2) {
    csend(9, &number, sizeof number, NX_ALL, 0);
    CHECK(!iprobe(9));
  } else {
    number = 0;
    crecv(9, &number, sizeof number);
    CHECK(number == 42 && infonode() == 2);
  }
}

static void a_message_may_be_empty_and_for_oneself(void) {
  csend(11, NULL, 0, mynode(), 0);
  char room[4];
  crecv(11, room, sizeof room);
  CHECK(infocount() == 0 && infonode() == mynode());
}

int main(void) {
  CHECK(infocount() == -1 && infonode() == -1 && infotype() == -1);
  CHECK(numnodes() == 4);
  receives_choose_by_type();
  messages_of_one_pair_stay_in_order();
  gsync();
  asynchronous_messages_are_done_when_they_say_so();
  gsync();
  probes_leave_the_message();
  gsync();
  a_send_to_all_reaches_all_others();
  gsync();
  a_message_may_be_empty_and_for_oneself();
  gsync();
  if (mynode() == 0) printf("ok\n");
  return 0;
}
