// Whether messages of many cells hinder each other: PAIRS disjoint pairs of cells, drawn at random from all, play the
// paper's point-to-point benchmark at the same time.
//   pairs_mpi PAIRS [DOUBLES [DRAW]]
// All cells pass the synchronisation net together, and all pairs begin their first round at that instant. As in
// pingpong_mpi it is not counted among the others. Prints a row for each pair: the mean of its rounds, and the first.
#include <cellos.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 10, THERE = 1, BACK = 2, DOUBLES = 10000 };

typedef struct {
  double mean_us, first_us;
} Times;

// The cells in an order that is the same on every cell and in every run, another one for each draw; neighbours in it
// are a pair.
static void shuffle(int* order, int cells, int draw) {
  unsigned long long state = 88172645463325252ULL * (unsigned long long)draw;
  for (int i = 0; i < cells; ++i) order[i] = i;
  for (int i = cells - 1; i > 0; --i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    const int other = (int)(state % (unsigned long long)(i + 1)), kept = order[i];
    order[i] = order[other], order[other] = kept;
  }
}

static void answer(double* array, int doubles, int partner) {
  for (int round = 0; round < 1 + ROUNDS; ++round) {
    MPI_Recv(array, doubles, MPI_DOUBLE, partner, THERE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(NULL, 0, MPI_DOUBLE, partner, BACK, MPI_COMM_WORLD);
  }
}

static double time_of_rounds(int rounds, double* array, int doubles, int partner) {
  const double start = MPI_Wtime();
  for (int round = 0; round < rounds; ++round) {
    MPI_Send(array, doubles, MPI_DOUBLE, partner, THERE, MPI_COMM_WORLD);
    MPI_Recv(NULL, 0, MPI_DOUBLE, partner, BACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return (MPI_Wtime() - start) / rounds * 1e6;
}

static Times play(double* array, int doubles, int partner) {
  const double first = time_of_rounds(1, array, doubles, partner);
  return (Times){time_of_rounds(ROUNDS, array, doubles, partner), first};
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, cells;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &cells);
  const int pairs = argc > 1 ? atoi(argv[1]) : 1, doubles = argc > 2 ? atoi(argv[2]) : DOUBLES;
  if (pairs < 1 || 2 * pairs > cells) {
    if (rank == 0) fprintf(stderr, "pairs_mpi: %d cells are not enough for %d pairs\n", cells, pairs);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  int* order = malloc(cells * sizeof *order);
  shuffle(order, cells, argc > 3 ? atoi(argv[3]) : 1);
  double* array = calloc(doubles + 1, sizeof *array);
  Times mine = {0, 0};

  sync();
  for (int pair = 0; pair < pairs; ++pair) {
    if (order[2 * pair] == rank) mine = play(array, doubles, order[2 * pair + 1]);
    if (order[2 * pair + 1] == rank) answer(array, doubles, order[2 * pair]);
  }

  Times* all = malloc(cells * sizeof *all);
  MPI_Gather(&mine, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("pairs,rank,time_us,first_us\n");
  for (int pair = 0; rank == 0 && pair < pairs; ++pair)
    printf("%d,%d,%.6f,%.6f\n", pairs, order[2 * pair], all[order[2 * pair]].mean_us, all[order[2 * pair]].first_us);
  MPI_Finalize();
  return 0;
}
