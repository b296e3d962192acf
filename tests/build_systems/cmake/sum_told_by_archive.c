#include <mpi.h>

void tell(int ranks, int sum);

int main(int argc, char** argv) {
  int rank, size, number, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  number = rank + 1;
  MPI_Reduce(&number, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) tell(size, sum);
  return MPI_Finalize();
}
