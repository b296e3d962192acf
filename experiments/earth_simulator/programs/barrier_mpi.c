// The time of a barrier of all ranks, on each: mean of 10, after one that is not counted.
//   barrier_mpi NODES
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 10 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int round = 0; round < ROUNDS; ++round) MPI_Barrier(MPI_COMM_WORLD);
  const double time = (MPI_Wtime() - start) / ROUNDS * 1e6;
  double* all = malloc(size * sizeof *all);
  MPI_Gather(&time, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("nodes,rank,time_us\n");
  for (int i = 0; rank == 0 && i < size; ++i) printf("%s,%d,%.6f\n", argc > 1 ? argv[1] : "0", i, all[i]);
  free(all);
  MPI_Finalize();
  return 0;
}
