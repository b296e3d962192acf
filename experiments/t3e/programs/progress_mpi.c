// Whether messages get on while a rank is in MPI_Barrier: rank 1 posts a receive and calls it; rank 0 sends, waits
// until that is over, computes for a millisecond and calls it too. Prints whether the send was over before rank 1's
// barrier.
//   progress_mpi BYTES
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TAG = 1, UNTIL_THE_OTHER_IS_IN_IT_US = 1000, COMPUTATION_US = 1000 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int bytes = argc > 1 ? atoi(argv[1]) : 0;
  char* data = calloc(bytes + 1, 1);
  MPI_Request request = MPI_REQUEST_NULL;
  double sent = 0, passed = 0;
  const double start = MPI_Wtime();
  if (rank == 0) {
    usleep(UNTIL_THE_OTHER_IS_IN_IT_US);
    MPI_Send(data, bytes, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
    sent = MPI_Wtime() - start;
    usleep(COMPUTATION_US);
  } else if (rank == 1) {
    MPI_Irecv(data, bytes, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &request);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  passed = MPI_Wtime() - start;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Send(&passed, 1, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Recv(&passed, 1, MPI_DOUBLE, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("bytes,time_us,barrier_us,is_before\n%d,%.6f,%.6f,%d\n", bytes, sent * 1e6, passed * 1e6, sent < passed);
  }
  free(data);
  MPI_Finalize();
  return 0;
}
