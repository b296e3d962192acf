// The page's measurement of one-sided operations: rank 0 does one and waits until it is over, at a partner that waits
// in a call of MPI meanwhile. Both ends of the data lie in the window.
//   ping_rma BYTES put|get|accumulate|nothing [PARTNER [GMEM|LMEM]]
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 10 };

static void operate(const char* what, double* here, int count, int partner, MPI_Win window) {
  if (strcmp(what, "put") == 0)
    MPI_Put(here, count, MPI_DOUBLE, partner, 0, count, MPI_DOUBLE, window);
  else if (strcmp(what, "get") == 0)
    MPI_Get(here, count, MPI_DOUBLE, partner, 0, count, MPI_DOUBLE, window);
  else if (strcmp(what, "accumulate") == 0)
    MPI_Accumulate(here, count, MPI_DOUBLE, partner, 0, count, MPI_DOUBLE, MPI_SUM, window);
  MPI_Win_flush(partner, window);
}

static double expected(const char* what, int rank) {
  if (strcmp(what, "accumulate") == 0) return rank == 0 ? 1 : 2 + (ROUNDS + 1);
  if (strcmp(what, "nothing") == 0) return rank == 0 ? 1 : 2;
  return strcmp(what, "put") == 0 ? 1 : 2;  // what is put, or got, is at both ends then
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int bytes = argc > 1 ? atoi(argv[1]) : 8;
  const char* what = argc > 2 ? argv[2] : "put";
  const int partner = argc > 3 ? atoi(argv[3]) : 1;
  const int count = bytes / (int)sizeof(double);
  MPI_Info info;
  MPI_Win window;
  double* here;
  MPI_Info_create(&info);
  MPI_Info_set(info, "memory", argc > 4 ? argv[4] : "GMEM");
  MPI_Win_allocate(bytes, sizeof(double), info, MPI_COMM_WORLD, &here, &window);
  MPI_Info_free(&info);
  for (int i = 0; i < count; ++i) here[i] = rank == 0 ? 1 : 2;
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    double start = 0;
    for (int round = 0; round <= ROUNDS; ++round) {
      if (round == 1) start = MPI_Wtime();
      operate(what, here, count, partner, window);
    }
    const double time = (MPI_Wtime() - start) / ROUNDS;
    printf("bytes,time_us,throughput\n%d,%.6f,%.6f\n", bytes, time * 1e6, bytes / time / 1e9);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_unlock_all(window);
  if (rank == 0 || rank == partner)
    for (int i = 0; i < count; ++i)
      if (here[i] != expected(what, rank)) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
