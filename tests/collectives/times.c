/* How long an operation takes from when all ranks begin it until the last one has ended, for blocks of several lengths.
 *
 *   times OPERATION BYTES ...      prints a line "BYTES SECONDS" for each */
#include <hindcast.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { room = 8 << 20 };

static double *in, *out;
static int n, counts[1024], places[1024];
static MPI_Comm grid; /* periodic, of two dimensions */

static void perform(const char* operation, int bytes) {
  const int m = bytes / 8;
  for (int r = 0; r < n; ++r) {
    counts[r] = m;
    places[r] = r * m;
  }
#define IS(name) (strcmp(operation, name) == 0)
  if (IS("barrier")) MPI_Barrier(MPI_COMM_WORLD);
  if (IS("bcast")) MPI_Bcast(in, m, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (IS("gather")) MPI_Gather(out, m, MPI_DOUBLE, in, m, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (IS("gatherv")) MPI_Gatherv(out, m, MPI_DOUBLE, in, counts, places, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (IS("scatterv")) MPI_Scatterv(out, counts, places, MPI_DOUBLE, in, m, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (IS("scatter")) MPI_Scatter(out, m, MPI_DOUBLE, in, m, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (IS("allgather")) MPI_Allgather(out, m, MPI_DOUBLE, in, m, MPI_DOUBLE, MPI_COMM_WORLD);
  if (IS("alltoall")) MPI_Alltoall(out, m, MPI_DOUBLE, in, m, MPI_DOUBLE, MPI_COMM_WORLD);
  if (IS("reduce")) MPI_Reduce(out, in, m, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (IS("allreduce")) MPI_Allreduce(out, in, m, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (IS("reduce_scatter_block")) MPI_Reduce_scatter_block(out, in, m, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (IS("neighbor_allgather")) MPI_Neighbor_allgather(out, m, MPI_DOUBLE, in, m, MPI_DOUBLE, grid);
  if (IS("neighbor_alltoall")) MPI_Neighbor_alltoall(out, m, MPI_DOUBLE, in, m, MPI_DOUBLE, grid);
  if (IS("scan")) MPI_Scan(out, in, m, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (IS("exscan")) MPI_Exscan(out, in, m, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  int dims[2] = {0, 0}, periods[2] = {1, 1};
  MPI_Init(&argc, &argv);
  n = world_size();
  MPI_Dims_create(n, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  in = calloc(1, room);
  out = calloc(1, room);
  for (int i = 2; i < argc; ++i) {
    const double begin = i - 1; /* seconds: long after the last one has ended */
    double end, last;
    hindcast_compute_seconds(begin - MPI_Wtime());
    perform(argv[1], atoi(argv[i]));
    end = MPI_Wtime();
    MPI_Reduce(&end, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (world_rank() == 0) printf("%s %.9f\n", argv[i], last - begin);
  }
  MPI_Finalize();
  return 0;
}
