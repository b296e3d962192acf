#include "defined_in_both.hpp"

#include <mpi.h>

#include <cstdio>

int variable = 10;

int answer() { return 2; }

int main(int argc, char** argv) {
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  variable += rank;
  inline_variable += rank;
  variable_of_thread += rank;
  static_of_function() += rank;
  static_of_template<long>() += rank;
  MPI_Barrier(MPI_COMM_WORLD);
  const int answered = count_in_library();
  MPI_Barrier(MPI_COMM_WORLD);
  std::printf("%d %d %d %d %d %d\n", variable, inline_variable, variable_of_thread, static_of_function(),
              static_of_template<long>(), answered);
  MPI_Finalize();
  return 0;
}
