// The paper's benchmark of many groups that broadcast at once: GROUPS communicators of two cells each; all cells pass
// the synchronisation net together, the timer starts, and each group broadcasts 10,000 integers.
//   interference_mpi GROUPS
// Prints a row for each group: its receiver's time, the mean of 10 rounds. That of the sender, who goes on almost at
// once, is not counted.
#include <cellos.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { INTEGERS = 10000, ROUNDS = 10 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, cells;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &cells);
  const int groups = argc > 1 ? atoi(argv[1]) : 1;
  if (groups < 1 || 2 * groups > cells) {
    if (rank == 0) fprintf(stderr, "interference_mpi: %d cells are not enough for %d groups\n", cells, groups);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  static int data[INTEGERS];
  MPI_Comm pair;
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2 * groups ? rank / 2 : MPI_UNDEFINED, 0, &pair);

  double mine = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    sync();
    const double start = MPI_Wtime();
    if (rank < 2 * groups) MPI_Bcast(data, INTEGERS, MPI_INT, 0, pair);
    mine += (MPI_Wtime() - start) * 1e6 / ROUNDS;
  }

  double* all = malloc(cells * sizeof *all);
  MPI_Gather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("groups,rank,time_us\n");
  for (int receiver = 1; rank == 0 && receiver < 2 * groups; receiver += 2)
    printf("%d,%d,%.6f\n", groups, receiver, all[receiver]);
  MPI_Finalize();
  return 0;
}
