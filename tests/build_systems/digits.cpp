// Each rank prints a third with as many digits as it has told its std::cout, before the others told theirs.
#include <mpi.h>

#include <iostream>

int main(int argc, char** argv) {
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::cout.precision(rank + 1);
  MPI_Barrier(MPI_COMM_WORLD);
  std::cout << 1.0 / 3 << std::endl;
  MPI_Finalize();
  return 0;
}
