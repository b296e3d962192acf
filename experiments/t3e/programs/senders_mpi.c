// Many processors send one a message of 8 bytes at one time: what a message takes the receiver, who waits for them all.
//   senders_mpi SENDERS
// Mean of 10 rounds, after one that is not counted. All begin a round at a time that rank 0 names.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 10, TAG = 1, AHEAD_US = 5000 };

static void wait_until(double time) {
  const double left = (time - MPI_Wtime()) * 1e6;
  if (left > 0) usleep((useconds_t)left);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int senders = argc > 1 ? atoi(argv[1]) : 1;
  double spent = 0, word = 0;
  for (int round = 0; round <= ROUNDS; ++round) {
    double start = MPI_Wtime() + AHEAD_US * 1e-6;
    MPI_Bcast(&start, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    wait_until(start);
    if (rank > 0 && rank <= senders) MPI_Send(&word, 1, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < senders; ++i)
      MPI_Recv(&word, 1, MPI_DOUBLE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0 && round > 0) spent += MPI_Wtime() - start;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 0) printf("senders,time_us\n%d,%.6f\n", senders, spent / ROUNDS / senders * 1e6);
  MPI_Finalize();
  return 0;
}
