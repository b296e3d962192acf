// The paper's benchmark of broadcasts, in CellOS: all cells pass the synchronisation net together, the timer starts,
// cell 0 broadcasts an array of doubles, and each cell takes its own time until it has it: the mean of 10 rounds.
//   broadcast_cellos DOUBLES
// Prints a row for each cell, as collective_mpi does.
#include <cellos.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROOT = 0, ARRAY = 1, TIME = 2, ROUNDS = 10 };

static double time_of(double* array, int bytes) {
  double sum = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    sync();
    const double start = l_clock();
    if (l_cellid() == ROOT)
      cbroad(ARRAY, array, bytes);
    else
      l_arecv(ROOT, ARRAY, array, bytes, NULL);
    sum += l_clock() - start;
  }
  return sum / ROUNDS * 1e6;
}

int main(int argc, char** argv) {
  const int cell = l_cellid(), cells = l_ncells();
  const int doubles = argc > 1 ? atoi(argv[1]) : 0;
  const int bytes = doubles * (int)sizeof(double);
  double* array = calloc(doubles + 1, sizeof *array);
  double mine = time_of(array, bytes);
  if (cell != ROOT) l_asend(ROOT, TIME, &mine, sizeof mine);
  if (cell == ROOT) printf("members,elements,rank,time_us\n");
  for (int from = 0; cell == ROOT && from < cells; ++from) {
    if (from != ROOT) l_arecv(from, TIME, &mine, sizeof mine, NULL);
    printf("%d,%d,%d,%.6f\n", cells, doubles, from, mine);
  }
  free(array);
  return 0;
}
