/* Reductions one after the other while a message of theirs fills the port of each second cell: every cell has to get
   its own reduction's result, whether its number left before the next one began or not. */
#include <mpi.h>
#include <stdio.h>

enum { rounds = 100, reductions = 3 };

int main(int argc, char** argv) {
  static char block[50 * rounds];
  int rank, ranks, wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int partner = rank ^ 1;
  for (int round = 0; round < rounds; ++round) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (partner < ranks && rank < partner) MPI_Isend(block, 50 * round, MPI_BYTE, partner, 0, MPI_COMM_WORLD, &request);
    if (rank > partner) MPI_Irecv(block, 50 * round, MPI_BYTE, partner, 0, MPI_COMM_WORLD, &request);
    for (int i = 0; i < reductions; ++i) {
      double mine = 1000.0 * round + 10 * i + rank, sum = 0, largest = 0;
      MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      wrong += largest != 1000.0 * round + 10 * i + ranks - 1;
      wrong += sum != ranks * (1000.0 * round + 10 * i) + ranks * (ranks - 1) / 2;
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  printf("%d: %d wrong\n", rank, wrong);
  return MPI_Finalize();
}
