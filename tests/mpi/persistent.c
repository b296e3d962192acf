/* ranks: 4
 * Persistent requests: begun again and again, inactive in between, freed at the end. */
#include "check.h"

enum { count = 700, rounds = 5 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = world_rank(), size = world_size(), right = (rank + 1) % size, left = (rank + size - 1) % size;
  const int buffer_size = 4 * (count * (int)sizeof(int) + MPI_BSEND_OVERHEAD);
  void* buffer = malloc(buffer_size);
  int out[4][count], in[4][count], flag;
  MPI_Request requests[8];
  MPI_Status status, statuses[8];
  MPI_Buffer_attach(buffer, buffer_size);
  for (int i = 0; i < 4; ++i) MPI_Recv_init(in[i], count, MPI_INT, left, i, MPI_COMM_WORLD, &requests[i]);
  MPI_Send_init(out[0], count, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[4]);
  MPI_Ssend_init(out[1], count, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[5]);
  MPI_Bsend_init(out[2], count, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[6]);
  MPI_Rsend_init(out[3], count, MPI_INT, right, 3, MPI_COMM_WORLD, &requests[7]);

  MPI_Waitall(8, requests, statuses); /* inactive: nothing to wait for */
  CHECK_INT(statuses[7].MPI_SOURCE, MPI_ANY_SOURCE);
  MPI_Test(&requests[0], &flag, &status);
  CHECK_INT(flag, 1);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < 4; ++i) fill(out[i], count, rank, 10 * round + i);
    MPI_Startall(4, requests);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 4; i < 8; ++i) MPI_Start(&requests[i]);
    MPI_Waitall(8, requests, statuses);
    for (int i = 0; i < 4; ++i) {
      check_status(&statuses[i], left, i, count);
      check_elements(in[i], count, left, 10 * round + i);
    }
    for (int i = 0; i < 8; ++i) CHECK(requests[i] != MPI_REQUEST_NULL);
  }
  for (int i = 0; i < 8; ++i) {
    MPI_Request_free(&requests[i]);
    CHECK(requests[i] == MPI_REQUEST_NULL);
  }
  void* detached;
  int detached_size;
  MPI_Buffer_detach(&detached, &detached_size);
  free(detached);
  return finish();
}
