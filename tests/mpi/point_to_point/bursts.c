/* ranks: 20 33
 * Everybody sends to everybody at once: more at a time than a thread may have ahead of the clock. What a rank then does
 * at one instant with what others have sent it must not depend on where it had to give way. */
#include "check.h"

enum { most = 33, rounds = 3 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static int in[most], out[most];
  MPI_Request requests[2 * most];
  const int rank = world_rank(), size = world_size();
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < size; ++i) {
      out[i] = element(rank, round, i);
      MPI_Irecv(&in[i], 1, MPI_INT, i, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[i]);
      MPI_Isend(&out[i], 1, MPI_INT, i, 3, MPI_COMM_WORLD, &requests[size + i]);
    }
    MPI_Waitall(2 * size, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < size; ++i) CHECK_INT(in[i], element(i, round, rank));
  }
  return finish();
}
