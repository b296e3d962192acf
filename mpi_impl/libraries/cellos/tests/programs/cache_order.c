/* What a cell sends and what it receives pass through one cache, in the order of their times, and a broadcast takes as
   long as it finds of its data there. Random messages and broadcasts; the time after each round is printed. */
#include <cellos.h>
#include <stdio.h>
#include <stdlib.h>

enum { room = 100000, rounds = 8, messages_max = 4, type_of_broadcast = 9 };

static char memory[2 * room];
static unsigned state;

static int below(int end) {
  state = state * 1103515245 + 12345;
  return (int)(state >> 8) % end;
}
static int some_bytes(void) {
  const int kind = below(10);
  return kind < 5 ? below(64) : kind < 8 ? below(3000) : below(60000);
}
static char* some_place(void) { return memory + (below(2) ? 0 : below(room)); }

static void receive(int type) {
  l_message message;
  if (below(2))
    while (!l_aprobe(L_ANY, type, &message)) {
    }
  char* const place = some_place();
  l_arecv(L_ANY, type, place, below(4) ? room : below(100), &message);
}

int main(int argc, char** argv) {
  const int me = l_cellid(), cells = l_ncells();
  state = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
  for (int round = 0; round < rounds; ++round) {
    const int messages = 1 + below(messages_max);
    for (int type = 0; type < messages; ++type) {
      const int bytes = some_bytes();
      l_asend((me + 1) % cells, type, some_place(), bytes);
    }
    const int sender = below(cells), bytes = some_bytes();
    char* const place = some_place();
    if (me == sender) cbroad(type_of_broadcast, place, bytes);
    for (int type = 0; type < messages; ++type) receive(type);
    if (me != sender) l_arecv(sender, type_of_broadcast, place, room, NULL);
    sync();
    if (me == 0) printf("%d %.9f\n", round, l_clock());
  }
  return 0;
}
