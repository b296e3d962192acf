// What all take part in and all have the result of, by MPI or APlib: a barrier, or the sum of a double.
//   meeting mpi|aplib barrier|sum
#include <aplib.h>

#include "together.h"

static double number;

static void mpi_barrier(int bytes) {
  (void)bytes;
  MPI_Barrier(MPI_COMM_WORLD);
}

static void aplib_barrier(int bytes) {
  (void)bytes;
  sync();
}

static void mpi_sum(int bytes) {
  (void)bytes;
  number = 1;
  MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void aplib_sum(int bytes) {
  (void)bytes;
  number = 1;
  xy_dsum(&number, 1);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  if (argc != 3) fail("meeting mpi|aplib barrier|sum");
  const int is_aplib = strcmp(argv[1], "aplib") == 0, is_sum = strcmp(argv[2], "sum") == 0;
  void (*const operation)(int) = is_sum ? (is_aplib ? aplib_sum : mpi_sum) : (is_aplib ? aplib_barrier : mpi_barrier);
  const double time_us = time_together_us(operation, 0);
  if (is_sum && number != ranks) fail("a sum has another result");
  if (rank == 0) printf("ranks,bytes,time_us\n%d,%d,%.6f\n", ranks, is_sum ? 8 : 0, time_us);
  MPI_Finalize();
  return 0;
}
