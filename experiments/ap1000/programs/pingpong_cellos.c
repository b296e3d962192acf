// The paper's point-to-point benchmark, in CellOS: cell 0 sends an array of doubles to a partner, which has it in its
// own buffer when l_arecv returns, and answers with a message of size 0. Cell 0 takes the time.
//   pingpong_cellos DOUBLES [PARTNER | FIRST-LAST]
// Of several partners each has its turn. Prints the time of a round, and of the send alone (until the sender may go
// on), both in microseconds.
#include <cellos.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 10, THERE = 1, BACK = 2 };

static void answer_rounds(double* array, int doubles) {
  for (int i = 0; i < doubles; ++i) array[i] = -1;
  for (int round = 0; round < 1 + 2 * ROUNDS; ++round) {
    l_arecv(0, THERE, array, doubles * (int)sizeof *array, NULL);
    l_asend(0, BACK, NULL, 0);
  }
  for (int i = 0; i < doubles; ++i)
    if (array[i] != i) exit(1);
}

static void send_array(double* array, int doubles, int partner) {
  l_asend(partner, THERE, array, doubles * (int)sizeof *array);
}

static void await_answer(int partner) { l_arecv(partner, BACK, NULL, 0, NULL); }

static void time_rounds(double* array, int doubles, int partner) {
  for (int i = 0; i < doubles; ++i) array[i] = i;
  send_array(array, doubles, partner);  // so that the partner is there when the first round begins
  await_answer(partner);

  double in_rounds = 0, in_sends = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    const double start = l_clock();
    send_array(array, doubles, partner);
    await_answer(partner);
    in_rounds += l_clock() - start;
  }
  for (int round = 0; round < ROUNDS; ++round) {
    const double start = l_clock();
    send_array(array, doubles, partner);
    in_sends += l_clock() - start;
    await_answer(partner);
  }
  printf("%d,%d,%.6f,%.6f\n", doubles, partner, in_rounds / ROUNDS * 1e6, in_sends / ROUNDS * 1e6);
}

int main(int argc, char** argv) {
  const int cell = l_cellid();
  const int doubles = argc > 1 ? atoi(argv[1]) : 0;
  int first = 1, last = 1;
  if (argc > 2 && sscanf(argv[2], "%d-%d", &first, &last) < 2) last = first;
  double* array = malloc((doubles + 1) * sizeof *array);
  if (cell == 0) printf("doubles,partner,time_us,send_us\n");
  for (int partner = first; partner <= last; ++partner) {
    if (cell == 0) time_rounds(array, doubles, partner);
    if (cell == partner) answer_rounds(array, doubles);
  }
  free(array);
  return 0;
}
