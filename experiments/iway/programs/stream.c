/* How much one connection moves between two sites, and several that share the way: pairs of ranks, the first half of
 * them at one site, the second half at another. Each of the first PAIRS ranks sends eight messages of 256 KiB to its
 * partner, after an empty one that makes the connection. Prints SIZE in a column called NAME, and what comes to the
 * first pair's second rank in MB/s after the empty message.
 *
 *   stream SIZE NAME PAIRS */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MESSAGES = 8, BYTES = 256 * 1024 };

int main(int argc, char** argv) {
  static char data[BYTES];
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int pairs = argc > 3 ? atoi(argv[3]) : 1, half = size / 2;
  double start = 0;
  for (int i = -1; i < MESSAGES; ++i) {
    const int bytes = i < 0 ? 0 : BYTES;
    if (rank < pairs) MPI_Send(data, bytes, MPI_BYTE, rank + half, 0, MPI_COMM_WORLD);
    if (rank >= half && rank < half + pairs)
      MPI_Recv(data, bytes, MPI_BYTE, rank - half, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (i < 0) start = MPI_Wtime();
  }
  if (rank == half)
    printf("%s,rate\n%s,%.6f\n", argv[2], argv[1], (double)MESSAGES * BYTES / (MPI_Wtime() - start) / 1e6);
  MPI_Finalize();
  return 0;
}
