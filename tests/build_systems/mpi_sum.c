// The program that each build system builds: every rank adds its number to a sum, and rank 0 prints it.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, size, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  rank += 1;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (sum <= 0) fprintf(stderr, "no sum\n");
  if (rank == 1) printf("sum of %d ranks: %d\n", size, sum);
  MPI_Finalize();
  return 0;
}
