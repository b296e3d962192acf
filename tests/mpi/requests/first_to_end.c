/* ranks: 3
 * needs: sends that go on while the program computes
 * Of a long send, whose end is known in advance, and a message that comes meanwhile, the message is first. It is empty,
 * for the answer to one that asks for leave would have to wait behind the long one. */
#include "check.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  enum { large = 1000000 };
  const double begin = 1e-3 + MPI_Wtime(), end = 2e-3 + MPI_Wtime();
  int index, flag;
  int* data = calloc(large, sizeof(int));
  MPI_Request requests[2];
  if (world_rank() == 0) {
    MPI_Isend(data, large, MPI_INT, 1, 9, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(NULL, 0, MPI_INT, 2, 9, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    CHECK_INT(index, 1);
    CHECK(MPI_Wtime() > begin && MPI_Wtime() < end);
    MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    CHECK_INT(flag, 0);
    /* and of the send and a message that comes only later, the send */
    MPI_Irecv(NULL, 0, MPI_INT, 2, 10, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    CHECK_INT(index, 0);
    CHECK(MPI_Wtime() > end);
    MPI_Send(NULL, 0, MPI_INT, 2, 10, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else if (world_rank() == 1) {
    MPI_Recv(data, large, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (world_rank() == 2) {
    while (MPI_Wtime() < begin) continue;
    MPI_Send(NULL, 0, MPI_INT, 0, 9, MPI_COMM_WORLD);
    MPI_Recv(NULL, 0, MPI_INT, 0, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(NULL, 0, MPI_INT, 0, 10, MPI_COMM_WORLD);
  }
  free(data);
  return finish();
}
