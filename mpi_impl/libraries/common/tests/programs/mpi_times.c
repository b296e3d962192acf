/* What MPI's calls take, in microseconds, a line each: a name and the time. For 2 ranks. The argument is how many bytes
 * a message has. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void wait_until(double time) {
  while (MPI_Wtime() * 1e6 < time) {
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int bytes = argc > 1 ? atoi(argv[1]) : 0;
  char* data = calloc((size_t)bytes + 1, 1);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const double first = MPI_Wtime() * 1e6;
  const double reading = MPI_Wtime() * 1e6 - first;

  if (rank == 0) {
    wait_until(1000);
    const double start = MPI_Wtime() * 1e6;
    MPI_Send(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    printf("send %.6f\n", MPI_Wtime() * 1e6 - start - reading);
    printf("sent at %.6f\n", start);
  } else {
    MPI_Recv(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("received at %.6f\n", MPI_Wtime() * 1e6 - reading);
  }

  if (rank == 0) {
    wait_until(10000);
    MPI_Send(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    wait_until(30000);
    const double start = MPI_Wtime() * 1e6;
    MPI_Ssend(data, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
    printf("ssend %.6f\n", MPI_Wtime() * 1e6 - start - reading);
  } else {
    wait_until(20000);
    const double start = MPI_Wtime() * 1e6;
    MPI_Recv(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("recv %.6f\n", MPI_Wtime() * 1e6 - start - reading);
    MPI_Recv(data, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
