#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int sums_made = 0;
int sum_of(int number, int* drawn);

int main(int argc, char** argv) {
  int rank, size, drawn;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  srand(rank + 5);
  int expected = rand();
  srand(rank + 5);
  int sum = sum_of(rank + 1, &drawn);
  if (drawn != expected) printf("the library draws from other random numbers\n");
  if (sums_made != 1) printf("the library counts elsewhere\n");
  if (rank == 0) printf("sum of %d ranks: %d\n", size, sum);
  MPI_Finalize();
  return 0;
}
