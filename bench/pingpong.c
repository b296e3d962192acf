// Two ranks send a message to and fro.   pingpong ITERATIONS [BYTES]
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const long iterations = argc > 1 ? atol(argv[1]) : 1000;
  const int bytes = argc > 2 ? atoi(argv[2]) : 8;
  char* ball = malloc(bytes);
  memset(ball, rank == 0 ? 1 : 0, bytes);

  const double start = MPI_Wtime();
  for (long i = 0; i < iterations; ++i) {
    if (rank == 0) {
      MPI_Send(ball, bytes, MPI_BYTE, 1, 7, MPI_COMM_WORLD);
      MPI_Recv(ball, bytes, MPI_BYTE, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
      MPI_Recv(ball, bytes, MPI_BYTE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(ball, bytes, MPI_BYTE, 0, 7, MPI_COMM_WORLD);
    }
  }
  const double elapsed = MPI_Wtime() - start;

  const int wrong = rank < 2 && iterations > 0 && (ball[0] != 1 || ball[bytes - 1] != 1);
  if (wrong) printf("rank %d: wrong data\n", rank);
  if (rank == 0) printf("pingpong: %ld messages in %.9f simulated seconds\n", 2 * iterations, elapsed);
  free(ball);
  MPI_Finalize();
  return wrong;
}
