// Of which steps one message is made: rank 0 sends it to rank 1, which is waiting for it.
//   one_message BYTES send|ssend|nothing
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAG = 1, UNTIL_ALL_WAIT_US = 1000 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int bytes = argc > 1 ? atoi(argv[1]) : 0;
  const char* how = argc > 2 ? argv[2] : "send";
  const int is_sent = strcmp(how, "nothing") != 0;
  char* data = calloc(bytes + 1, 1);
  double time = 0;
  if (rank == 0) {
    usleep(UNTIL_ALL_WAIT_US);
    const double start = MPI_Wtime();
    if (is_sent) (strcmp(how, "ssend") == 0 ? MPI_Ssend : MPI_Send)(data, bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
    time = MPI_Wtime() - start;
  } else if (rank == 1 && is_sent) {
    MPI_Recv(data, bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank == 0) printf("bytes,time_us\n%d,%.6f\n", bytes, time * 1e6);
  free(data);
  MPI_Finalize();
  return 0;
}
