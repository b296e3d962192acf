// The same program in C++, with what a build without the wrapper's flags would break: data of other libraries,
// variables of threads, exceptions, and inline variables, which all ranks would share.
#include <mpi.h>

#include <iostream>
#include <stdexcept>

inline int starts = 0;
thread_local int calls = 0;

int number_of(int rank) {
  ++calls;
  throw std::runtime_error(std::to_string(rank + 1));
}

int main(int argc, char** argv) {
  int rank, size, mine = 0, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  ++starts;
  try {
    mine = number_of(rank);
  } catch (const std::exception& error) {
    mine = std::stoi(error.what());
  }
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (starts != 1 || calls != 1) std::cerr << "rank " << rank << ": " << starts << " starts, " << calls << " calls\n";
  if (rank == 0) std::cout << "sum of " << size << " ranks: " << sum << std::endl;
  MPI_Finalize();
}
