// What all ranks of a run do together, on up to the whole machine: a barrier, a sum, everybody to everybody with 8
// bytes a pair, or rims of a square grid to four neighbours. Results are checked; the slowest rank's mean of some
// rounds is told.
//   whole_machine RANKS barrier|allreduce|alltoall|halo [FLOPS]
// With FLOPS, each rank computes so many before each round: compiled with -fopenmp its threads share them.
#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static void require(int holds) {
  if (!holds) MPI_Abort(MPI_COMM_WORLD, 1);
}

static void compute(double flops) {
  if (flops == 0) return;
#ifdef _OPENMP
#pragma omp parallel
  hindcast_compute_flops(flops / omp_get_num_threads());
#else
  hindcast_compute_flops(flops);
#endif
}

static void sum(int rank, int size) {
  double mine = rank, all;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  require(all == size * (size - 1.0) / 2);
}

static void exchange_all(int rank, int size) {
  long* out = malloc(size * sizeof *out);
  long* in = malloc(size * sizeof *in);
  for (int i = 0; i < size; ++i) out[i] = (long)rank * size + i;
  MPI_Alltoall(out, 1, MPI_LONG, in, 1, MPI_LONG, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) require(in[i] == (long)i * size + rank);
  free(in);
  free(out);
}

enum { RIM = 512 };

static void exchange_rims(MPI_Comm grid) {
  static double out[4][RIM], in[4][RIM];
  int neighbours[4], rank;
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_shift(grid, 0, 1, &neighbours[0], &neighbours[1]);
  MPI_Cart_shift(grid, 1, 1, &neighbours[2], &neighbours[3]);
  MPI_Request requests[8];
  for (int side = 0; side < 4; ++side) {
    out[side][0] = rank;
    MPI_Irecv(in[side], RIM, MPI_DOUBLE, neighbours[side], side ^ 1, grid, &requests[side]);
  }
  for (int side = 0; side < 4; ++side)
    MPI_Isend(out[side], RIM, MPI_DOUBLE, neighbours[side], side, grid, &requests[4 + side]);
  MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
  for (int side = 0; side < 4; ++side) require(in[side][0] == neighbours[side]);
}

static MPI_Comm make_grid(int size) {
  int extents[2] = {0, 0}, wraps[2] = {1, 1};
  MPI_Comm grid;
  MPI_Dims_create(size, 2, extents);
  MPI_Cart_create(MPI_COMM_WORLD, 2, extents, wraps, 0, &grid);
  return grid;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* what = argc > 2 ? argv[2] : "barrier";
  const double flops = argc > 3 ? atof(argv[3]) : 0;
  const int rounds = strcmp(what, "alltoall") == 0 ? 1 : 5;
  MPI_Comm grid = strcmp(what, "halo") == 0 ? make_grid(size) : MPI_COMM_NULL;
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int round = 0; round < rounds; ++round) {
    compute(flops);
    if (strcmp(what, "barrier") == 0) MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(what, "allreduce") == 0) sum(rank, size);
    if (strcmp(what, "alltoall") == 0) exchange_all(rank, size);
    if (strcmp(what, "halo") == 0) exchange_rims(grid);
  }
  double time = (MPI_Wtime() - start) / rounds * 1e6, slowest;
  MPI_Reduce(&time, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("ranks,time_us\n%d,%.6f\n", size, slowest);
  MPI_Finalize();
  return 0;
}
