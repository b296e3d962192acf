/* mpptest's ping-pong between two ranks, the mean over messages of 0 to so many bytes. In a loop of polls the time from
 * one message to the next locks to the polls, so that single sizes say little. Arguments: what is printed as the
 * table's column and its value, the largest message, the step, and whether the ranks pause for random times in between.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 20 };

/* 0 to 300 us, spread evenly: a linear congruence, so that all runs are alike. */
static void pause_at_random(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  const double until = MPI_Wtime() + (*state >> 8) / 16777216.0 * 300e-6;
  while (MPI_Wtime() < until)
    ;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc < 6) MPI_Abort(MPI_COMM_WORLD, 2);
  const int largest = atoi(argv[3]), step = atoi(argv[4]), has_pauses = atoi(argv[5]);
  char* data = calloc((size_t)largest + 1, 1);
  int rank, sizes = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  unsigned state = 12345u + (unsigned)rank;
  double took = 0;
  for (int bytes = 0; bytes <= largest; bytes += step, ++sizes) {
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < ROUNDS; ++round) {
      double sent_at = 0, received_at = 0;
      for (int way = 0; way < 2; ++way) {
        if (has_pauses && rank == way) pause_at_random(&state);
        if (rank == way) {
          sent_at = MPI_Wtime(); /* clocks agree here */
          MPI_Send(data, bytes, MPI_BYTE, 1 - way, 1, MPI_COMM_WORLD);
        } else {
          MPI_Recv(data, bytes, MPI_BYTE, way, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          received_at = MPI_Wtime();
        }
      }
      took += received_at - sent_at;
    }
  }
  double other = 0;
  MPI_Reduce(&took, &other, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%s,time_us\n%s,%.6f\n", argv[1], argv[2], other * 1e6 / (2 * ROUNDS * sizes));
  free(data);
  MPI_Finalize();
  return 0;
}
