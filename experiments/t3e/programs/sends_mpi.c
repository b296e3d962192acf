// A standard send to a receiver who is late: the time in MPI_Send, and until the receiver has the message, who computes
// for a while before he asks for it. Mean of 10 rounds, after one that is not counted.
//   sends_mpi BYTES
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 10, TAG = 1, COMPUTATION_US = 2000 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int bytes = argc > 1 ? atoi(argv[1]) : 0;
  char* data = calloc(bytes + 1, 1);
  double in_send = 0, until_there = 0;
  for (int round = 0; round <= ROUNDS; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    double times[2] = {0, 0};
    if (rank == 0) {
      MPI_Send(data, bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
      times[0] = MPI_Wtime() - start;
    } else if (rank == 1) {
      usleep(COMPUTATION_US);
      MPI_Recv(data, bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      times[1] = MPI_Wtime() - start - COMPUTATION_US * 1e-6;
    }
    MPI_Allreduce(MPI_IN_PLACE, times, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (round > 0) in_send += times[0], until_there += times[1];
  }
  if (rank == 0)
    printf("bytes,time_us,send_us\n%d,%.6f,%.6f\n", bytes, until_there / ROUNDS * 1e6, in_send / ROUNDS * 1e6);
  free(data);
  MPI_Finalize();
  return 0;
}
