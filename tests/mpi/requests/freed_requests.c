/* ranks: 2
 * Requests freed while they are in progress: the messages arrive all the same, and MPI_Finalize waits for them. */
#include "check.h"

enum { rounds = 100, large = 5000 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Request request;
  int* data = malloc(sizeof(int) * large);
  if (world_rank() == 0) {
    for (int i = 0; i < rounds; ++i) {
      const int count = i % 2 ? large : 4;
      fill(data, count, 0, i);
      MPI_Isend(data, count, MPI_INT, 1, i, MPI_COMM_WORLD, &request);
      MPI_Request_free(&request);
      CHECK(request == MPI_REQUEST_NULL);
      MPI_Recv(NULL, 0, MPI_INT, 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* the buffer is free again */
    }
    fill(data, large, 0, 999);
    MPI_Issend(data, large, MPI_INT, 1, 999, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Finalize();
  } else {
    for (int i = 0; i < rounds; ++i) {
      MPI_Recv(data, large, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      check_elements(data, i % 2 ? large : 4, 0, i);
      MPI_Send(NULL, 0, MPI_INT, 0, i, MPI_COMM_WORLD);
    }
    MPI_Recv(data, large, MPI_INT, 0, 999, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check_elements(data, large, 0, 999);
    printf("ok\n");
    MPI_Finalize();
  }
  free(data);
  return 0;
}
