// Pi, by the midpoint rule on 4 / (1 + x^2): every rank adds up its share, and rank 0 gathers the sum.   pi [INTERVALS]
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const long intervals = argc > 1 ? atol(argv[1]) : 1000000;

  const double start = MPI_Wtime();
  const double width = 1.0 / intervals;
  double share = 0;
  for (long i = rank; i < intervals; i += size) {
    const double x = (i + 0.5) * width;
    share += 4 / (1 + x * x) * width;
  }

  // The ranks hand their sums on along a chain, so that the sum is the same on every run.
  double sum = 0;
  if (rank > 0) MPI_Recv(&sum, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  sum += share;
  MPI_Send(&sum, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD);

  int wrong = 0;
  if (rank == 0) {
    MPI_Recv(&sum, 1, MPI_DOUBLE, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    wrong = fabs(sum - 3.14159265358979) > 1e-9;
    printf("pi = %.10f on %d ranks, %s, after %.3f us\n", sum, size, wrong ? "WRONG" : "right",
           (MPI_Wtime() - start) * 1e6);
  }
  MPI_Finalize();
  return wrong;
}
