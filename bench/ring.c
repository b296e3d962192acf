// One message goes round all ranks.   ring ROUNDS [BYTES]
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const long rounds = argc > 1 ? atol(argv[1]) : 100;
  const int bytes = argc > 2 ? atoi(argv[2]) : 8;
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  char* token = malloc(bytes);
  memset(token, rank == 0 ? 1 : 0, bytes);

  const double start = MPI_Wtime();
  for (long i = 0; i < rounds; ++i) {
    if (rank == 0) MPI_Send(token, bytes, MPI_BYTE, next, 7, MPI_COMM_WORLD);
    MPI_Recv(token, bytes, MPI_BYTE, previous, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank != 0) MPI_Send(token, bytes, MPI_BYTE, next, 7, MPI_COMM_WORLD);
  }
  const double elapsed = MPI_Wtime() - start;

  const int wrong = rounds > 0 && (token[0] != 1 || token[bytes - 1] != 1);
  if (wrong) printf("rank %d: wrong data\n", rank);
  if (rank == 0) printf("ring: %ld messages in %.9f simulated seconds\n", rounds * size, elapsed);
  free(token);
  MPI_Finalize();
  return wrong;
}
