/* The time from a send to the end of its receive, and until a blocking send returns, of messages of some lengths
 * between two ranks whose clocks are one: in us. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double now_us(void) { return MPI_Wtime() * 1e6; }

int main(int argc, char** argv) {
  static char data[1 << 20];
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 1; i < argc; ++i) {
    const int bytes = atoi(argv[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    double times[2] = {0, 0}; /* begin of the send, its end */
    if (rank == 0) {
      times[0] = now_us();
      MPI_Send(data, bytes, MPI_CHAR, size - 1, 1, MPI_COMM_WORLD);
      times[1] = now_us();
      MPI_Send(times, 2, MPI_DOUBLE, size - 1, 2, MPI_COMM_WORLD);
    } else if (rank == size - 1) {
      MPI_Recv(data, bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      const double end = now_us();
      MPI_Recv(times, 2, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      printf("%d bytes: sent %.3f received %.3f\n", bytes, times[1] - times[0], end - times[0]);
    }
  }
  MPI_Finalize();
  return 0;
}
