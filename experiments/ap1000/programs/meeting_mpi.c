// Whether a constructor of communicators returns on a cell before the last one has called it.   meeting_mpi CONSTRUCTOR
// One cell after the other comes 20 ms later than the rest. Counts the returns that were too early.
#include <hindcast.h>
#include <stdio.h>

#include "constructors.h"

static int returns_too_early(int constructor, int is_late) {
  MPI_Comm made;
  MPI_Barrier(MPI_COMM_WORLD);
  if (is_late) hindcast_compute_seconds(20e-3);
  const double entry = MPI_Wtime();
  make(constructor, &made);
  const double end = MPI_Wtime();
  double last;
  MPI_Allreduce(&entry, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Comm_free(&made);
  return end < last;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, early = 0, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int constructor = argc > 1 ? atoi(argv[1]) : 0;
  prepare();
  for (int late = 0; late < size; ++late) early += returns_too_early(constructor, rank == late);
  MPI_Reduce(&early, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("constructor,early\n%d,%d\n", constructor, all);
  MPI_Finalize();
  return 0;
}
