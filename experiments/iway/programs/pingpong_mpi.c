/* mpptest's ping-pong: standard sends and blocking receives between two ranks; half a round, mean of 100. The argument
 * is how many bytes a message has. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 100 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int bytes = argc > 1 ? atoi(argv[1]) : 0;
  char* data = calloc((size_t)bytes + 1, 1);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int round = 0; round < ROUNDS; ++round) {
    if (rank == 0) MPI_Send(data, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
    if (rank <= 1) MPI_Recv(data, bytes, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(data, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
  }
  const double took = (MPI_Wtime() - start) * 1e6;
  if (rank == 0) printf("bytes,time_us\n%d,%.6f\n", bytes, took / (2 * ROUNDS));
  free(data);
  MPI_Finalize();
  return 0;
}
