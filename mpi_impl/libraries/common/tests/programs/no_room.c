// Rank 0 sends messages until they have no more room anywhere, as rank 1 computes for a second before it receives them.
// Its arguments are how many, and how long they are.
#include <hindcast.h>
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int messages = atoi(argv[1]), bytes = atoi(argv[2]);
  char* data = calloc(bytes, 1);
  if (rank == 1) hindcast_compute_seconds(1);
  for (int k = 0; k < messages; ++k) {
    if (rank == 0) MPI_Send(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  free(data);
  MPI_Finalize();
  return 0;
}
