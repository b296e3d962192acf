// Every rank of a two-dimensional periodic grid exchanges messages with its four neighbours.   halo ITERATIONS [BYTES]
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { east, west, south, north, directions };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const long iterations = argc > 1 ? atol(argv[1]) : 100;
  const int bytes = argc > 2 ? atoi(argv[2]) : 8;

  int rows = 1;  // the largest divisor of size not above its square root
  for (int i = 1; i * i <= size; ++i)
    if (size % i == 0) rows = i;
  const int columns = size / rows, row = rank / columns, column = rank % columns;
  int neighbour[directions];
  neighbour[east] = row * columns + (column + 1) % columns;
  neighbour[west] = row * columns + (column + columns - 1) % columns;
  neighbour[south] = (row + 1) % rows * columns + column;
  neighbour[north] = (row + rows - 1) % rows * columns + column;
  const int opposite[directions] = {west, east, north, south};

  char *out[directions], *in[directions];
  for (int d = 0; d < directions; ++d) {
    out[d] = malloc(bytes);
    in[d] = malloc(bytes);
    memset(out[d], rank % 100 + d, bytes);
    memset(in[d], 0, bytes);
  }

  const double start = MPI_Wtime();
  for (long i = 0; i < iterations; ++i) {
    MPI_Request requests[2 * directions];
    for (int d = 0; d < directions; ++d)
      MPI_Irecv(in[d], bytes, MPI_BYTE, neighbour[d], opposite[d], MPI_COMM_WORLD, &requests[d]);
    for (int d = 0; d < directions; ++d)
      MPI_Isend(out[d], bytes, MPI_BYTE, neighbour[d], d, MPI_COMM_WORLD, &requests[directions + d]);
    MPI_Waitall(2 * directions, requests, MPI_STATUSES_IGNORE);
  }
  const double elapsed = MPI_Wtime() - start;

  int wrong = 0;
  for (int d = 0; d < directions && iterations > 0; ++d) {
    const char expected = (char)(neighbour[d] % 100 + opposite[d]);
    wrong |= in[d][0] != expected || in[d][bytes - 1] != expected;
  }
  if (wrong) printf("rank %d: wrong data\n", rank);
  if (rank == 0) printf("halo: %ld messages in %.9f simulated seconds\n", iterations * size * directions, elapsed);
  for (int d = 0; d < directions; ++d) {
    free(out[d]);
    free(in[d]);
  }
  MPI_Finalize();
  return wrong;
}
