/* The time of a reduction to rank 0 of so many doubles, with a sum and with an operation of the program's own, from an
 * instant at which all begin: in us, and whether the sum is right. */
#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 8192 };
static double mine[MOST], result[MOST];

static void leave_alone(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)in, (void)inout, (void)count, (void)type;
}

static double time_us(int doubles, MPI_Op operation) {
  MPI_Barrier(MPI_COMM_WORLD);
  double instant = MPI_Wtime() + 1;
  MPI_Bcast(&instant, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  hindcast_compute_seconds(instant - MPI_Wtime());
  const double before = MPI_Wtime(), begun = MPI_Wtime();
  MPI_Reduce(mine, result, doubles, MPI_DOUBLE, operation, 0, MPI_COMM_WORLD);
  return (MPI_Wtime() - begun - (begun - before)) * 1e6;
}

int main(int argc, char** argv) {
  const int doubles = argc > 1 ? atoi(argv[1]) : 1;
  MPI_Init(&argc, &argv);
  int rank, size, is_right = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Op nothing;
  MPI_Op_create(leave_alone, 1, &nothing);
  for (int i = 0; i < doubles; ++i) mine[i] = rank + 0.5 * i;
  const double sum = time_us(doubles, MPI_SUM);
  for (int i = 0; i < doubles; ++i) is_right = is_right && result[i] == size * (size - 1) / 2 + 0.5 * i * size;
  const double own = time_us(doubles, nothing);
  if (rank == 0) printf("%s sum %.3f own %.3f\n", is_right ? "right" : "wrong", sum, own);
  MPI_Op_free(&nothing);
  MPI_Finalize();
  return 0;
}
