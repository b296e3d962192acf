/* What APlib's calls take, in us, with messages of so many bytes: cell 0 sends, the last one receives. */
#include <aplib.h>
#include <stdio.h>
#include <stdlib.h>

static char data[1 << 20];

static double now_us(void) { return l_clock() * 1e6; }
static void tell(const char* what, double time_us) { printf("%s %.6f\n", what, time_us); }

int main(int argc, char** argv) {
  const int bytes = argc > 1 ? atoi(argv[1]) : 0, me = l_cellid(), last = l_ncells() - 1;
  double began = now_us();
  const double look = now_us() - began;
  sync();
  began = now_us();
  if (me == 0) l_asend(last, 1, data, bytes);
  if (me == 0) tell("l_asend", now_us() - began - look);
  if (me == 0) tell("sent at", began);
  if (me == last) l_arecv(0, 1, data, bytes, NULL);
  if (me == last) tell("received at", now_us() - look);
  sync();
  began = now_us();
  if (me == 0) {
    const int id = l_begin_send(last, 2, data, bytes);
    tell("l_begin_send", now_us() - began - look);
    l_wait(id, NULL);
  }
  sync();
  began = now_us();
  if (me == last) l_arecv(0, 2, data, bytes, NULL);
  if (me == last) tell("l_arecv of what waits", now_us() - began - look);
  began = now_us();
  l_aprobe(L_ANY, 9, NULL);
  if (me == 0) tell("l_aprobe", now_us() - began - look);
  sync();
  began = now_us();
  if (me == 0) cbroad(3, data, bytes);
  if (me == 0) tell("cbroad", now_us() - began - look);
  if (me == 0) tell("broadcast at", began);
  if (me != 0) l_arecv(0, 3, data, bytes, NULL);
  if (me == last) tell("broadcast received at", now_us() - look);
  return 0;
}
