// What a message costs its sender, and the whole way, by MPI_Send or by MPI_Ssend.   ssend_mpi send|ssend DOUBLES
// Rank 0 sends an array of doubles to rank 1, which waits for it in a buffer of its own. Prints how long the send took,
// and the time until rank 1 has it, in microseconds; both ranks look at the one clock that the simulation has.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READY = 1, DATA = 2, END = 3 };

static void send(const double* array, int doubles, int is_synchronous) {
  MPI_Recv(NULL, 0, MPI_DOUBLE, 1, READY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const double start = MPI_Wtime();
  if (is_synchronous)
    MPI_Ssend(array, doubles, MPI_DOUBLE, 1, DATA, MPI_COMM_WORLD);
  else
    MPI_Send(array, doubles, MPI_DOUBLE, 1, DATA, MPI_COMM_WORLD);
  const double sent = MPI_Wtime();
  double received;
  MPI_Recv(&received, 1, MPI_DOUBLE, 1, END, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  printf("doubles,time_us,send_us\n%d,%.6f,%.6f\n", doubles, (received - start) * 1e6, (sent - start) * 1e6);
}

static void receive(double* array, int doubles) {
  for (int i = 0; i < doubles; ++i) array[i] = -1;
  MPI_Send(NULL, 0, MPI_DOUBLE, 0, READY, MPI_COMM_WORLD);
  MPI_Recv(array, doubles, MPI_DOUBLE, 0, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const double received = MPI_Wtime();
  for (int i = 0; i < doubles; ++i)
    if (array[i] != i) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Send(&received, 1, MPI_DOUBLE, 0, END, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int is_synchronous = argc > 1 && strcmp(argv[1], "ssend") == 0;
  const int doubles = argc > 2 ? atoi(argv[2]) : 0;
  double* array = malloc((doubles + 1) * sizeof *array);
  for (int i = 0; i < doubles; ++i) array[i] = i;
  if (rank == 0) send(array, doubles, is_synchronous);
  if (rank == 1) receive(array, doubles);
  free(array);
  MPI_Finalize();
  return 0;
}
