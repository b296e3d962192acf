// Whether MPI_Isend and MPI_Irecv let a message travel while the processor computes.
//   overlap_mpi blocking|nonblocking DOUBLES
// Rank 0 sends and then computes, rank 1 computes and then has to have the message; with nonblocking calls both start
// before they compute and wait after it. Prints how long each rank took, in microseconds.
#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 1 };

static const double compute_s = 10e-3;  // of the order of the longest messages' time

static void send(double* array, int doubles, int nonblocking) {
  if (nonblocking) {
    MPI_Request request;
    MPI_Isend(array, doubles, MPI_DOUBLE, 1, TAG, MPI_COMM_WORLD, &request);
    hindcast_compute_seconds(compute_s);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(array, doubles, MPI_DOUBLE, 1, TAG, MPI_COMM_WORLD);
    hindcast_compute_seconds(compute_s);
  }
}

static void receive(double* array, int doubles, int nonblocking) {
  if (nonblocking) {
    MPI_Request request;
    MPI_Irecv(array, doubles, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD, &request);
    hindcast_compute_seconds(compute_s);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    hindcast_compute_seconds(compute_s);
    MPI_Recv(array, doubles, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int nonblocking = argc > 1 && strcmp(argv[1], "nonblocking") == 0;
  const int doubles = argc > 2 ? atoi(argv[2]) : 0;
  double* array = calloc(doubles + 1, sizeof *array);

  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  if (rank == 0) send(array, doubles, nonblocking);
  if (rank == 1) receive(array, doubles, nonblocking);
  const double elapsed = MPI_Wtime() - start;

  if (rank == 0) printf("doubles,rank,time_us\n");
  MPI_Barrier(MPI_COMM_WORLD);  // the line of names is the first
  if (rank < 2) printf("%d,%d,%.6f\n", doubles, rank, elapsed * 1e6);
  free(array);
  MPI_Finalize();
  return 0;
}
