/* Messages that find their receives posted, or come before them: 20, one after the other. Prints the mean time from
 * the signal for a message until it has been received.
 *   arrivals BYTES posted|unexpected */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGES = 20, DATA = 1, SIGNAL = 2 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 3) MPI_Abort(MPI_COMM_WORLD, 2);
  const int bytes = atoi(argv[1]), is_posted = strcmp(argv[2], "posted") == 0;
  char* data = calloc((size_t)bytes + 1, 1);
  int rank;
  double took = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < MESSAGES; ++i) {
    if (rank == 0) {
      MPI_Recv(NULL, 0, MPI_BYTE, 1, SIGNAL, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* the receive is posted, or not */
      MPI_Send(data, bytes, MPI_BYTE, 1, DATA, MPI_COMM_WORLD);
      MPI_Send(NULL, 0, MPI_BYTE, 1, SIGNAL, MPI_COMM_WORLD);
      continue;
    }
    MPI_Request receive = MPI_REQUEST_NULL;
    if (is_posted) MPI_Irecv(data, bytes, MPI_BYTE, 0, DATA, MPI_COMM_WORLD, &receive);
    MPI_Send(NULL, 0, MPI_BYTE, 0, SIGNAL, MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    MPI_Recv(NULL, 0, MPI_BYTE, 0, SIGNAL, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* the data has come before it */
    if (!is_posted) MPI_Irecv(data, bytes, MPI_BYTE, 0, DATA, MPI_COMM_WORLD, &receive);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    took += MPI_Wtime() - start;
  }
  if (rank == 1) printf("bytes,time_us\n%d,%.6f\n", bytes, took * 1e6 / MESSAGES);
  free(data);
  MPI_Finalize();
  return 0;
}
