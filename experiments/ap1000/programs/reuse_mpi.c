// Whether the sender may use its buffer again as soon as MPI_Send has returned.   reuse_mpi DOUBLES
// Rank 0 overwrites the array right after the send; rank 1, which receives it later, counts doubles that are not as
// they were when they were sent.
#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG = 1 };

static void send_and_overwrite(double* array, int doubles) {
  for (int i = 0; i < doubles; ++i) array[i] = i;
  MPI_Send(array, doubles, MPI_DOUBLE, 1, TAG, MPI_COMM_WORLD);
  for (int i = 0; i < doubles; ++i) array[i] = -1;
}

static void receive_and_count(double* array, int doubles) {
  hindcast_compute_seconds(50e-3);  // so that the message lies in the system when it is asked for
  MPI_Recv(array, doubles, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  int wrong = 0;
  for (int i = 0; i < doubles; ++i) wrong += array[i] != i;
  printf("doubles,wrong\n%d,%d\n", doubles, wrong);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int doubles = argc > 1 ? atoi(argv[1]) : 1;
  double* array = malloc((doubles + 1) * sizeof *array);
  if (rank == 0) send_and_overwrite(array, doubles);
  if (rank == 1) receive_and_count(array, doubles);
  free(array);
  MPI_Finalize();
  return 0;
}
