/* How many threads a parallel region has, and whether their clock is the simulated one. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int threads = 0;
  MPI_Init(&argc, &argv);
#pragma omp parallel reduction(+ : threads)
  threads += 1;
  const double apart = omp_get_wtime() - MPI_Wtime();
  printf("%d threads, %s clock\n", threads, apart > -1 && apart < 1 ? "one" : "another");
  MPI_Finalize();
  return 0;
}
