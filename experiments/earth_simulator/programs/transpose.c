// The transpose of a square matrix that ranks have by rows, block by block: at each step every rank sends one to
// another rank and gets one from a third, which it looks at and forgets. Rank 0 tells the slowest rank's time, and what
// each sends in a second.
//   transpose RANKS ROWS     (of a rank, so that blocks are ROWS by ROWS)
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, rows;

static double element(int row_of_ranks, int column_of_ranks, int row, int column) {
  return ((double)row_of_ranks * size + column_of_ranks) * rows * rows + (double)row * rows + column;
}

// What of a block is looked at: the corners.
static double* corner(double* block, int k) { return block + (k / 2 * (rows - 1)) * rows + k % 2 * (rows - 1); }

static void fill(double* block, int to) {
  for (int k = 0; k < 4; ++k) *corner(block, k) = element(rank, to, k / 2 * (rows - 1), k % 2 * (rows - 1));
}

static int is_right(double* block, int from) {
  for (int k = 0; k < 4; ++k)
    if (*corner(block, k) != element(from, rank, k / 2 * (rows - 1), k % 2 * (rows - 1))) return 0;
  return 1;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  rows = argc > 2 ? atoi(argv[2]) : 16;
  const int block = rows * rows;
  double *out, *in;
  MPI_Alloc_mem(block * sizeof *out, MPI_INFO_NULL, &out);
  MPI_Alloc_mem(block * sizeof *in, MPI_INFO_NULL, &in);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int step = 1; step < size; ++step) {
    const int to = (rank + step) % size, from = (rank - step + size) % size;
    fill(out, to);
    MPI_Sendrecv(out, block, MPI_DOUBLE, to, step, in, block, MPI_DOUBLE, from, step, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (!is_right(in, from)) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  double time = (MPI_Wtime() - start) * 1e6, slowest;
  MPI_Reduce(&time, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  const double sent = (size - 1.0) * block * sizeof *out;
  if (rank == 0) printf("nodes,time_us,throughput\n%d,%.6f,%.6f\n", size, slowest, sent / slowest / 1e3);
  MPI_Free_mem(in);
  MPI_Free_mem(out);
  MPI_Finalize();
  return 0;
}
