/* ranks: 2
 * Requests freed while they are in progress: the messages arrive all the same, and MPI_Finalize waits for them, and for
 * what is in the attached buffer. */
#include "check.h"

enum { rounds = 100, large = 5000 };

static void sender(int* data) {
  MPI_Request request;
  for (int i = 0; i < rounds; ++i) {
    const int count = i % 2 ? large : 4;
    fill(data, count, 0, i);
    MPI_Isend(data, count, MPI_INT, 1, i, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    CHECK(request == MPI_REQUEST_NULL);
    MPI_Recv(NULL, 0, MPI_INT, 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* the buffer is free again */
  }
}

static void receiver(int* data) {
  for (int i = 0; i < rounds; ++i) {
    MPI_Recv(data, large, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check_elements(data, i % 2 ? large : 4, 0, i);
    MPI_Send(NULL, 0, MPI_INT, 0, i, MPI_COMM_WORLD);
  }
}

/* Nothing of the sender's but MPI_Finalize comes after these. */
static void send_last(int* data) {
  static char buffer[large * sizeof(int) + MPI_BSEND_OVERHEAD];
  MPI_Request request;
  MPI_Buffer_attach(buffer, sizeof buffer);
  fill(data, large, 0, 998);
  MPI_Bsend(data, large, MPI_INT, 1, 998, MPI_COMM_WORLD);
  fill(data, large, 0, 999);
  MPI_Issend(data, large, MPI_INT, 1, 999, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  MPI_Finalize();
}

static void receive_last(int* data) {
  for (int tag = 998; tag < 1000; ++tag) {
    MPI_Recv(data, large, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check_elements(data, large, 0, tag);
  }
  printf("ok\n");
  MPI_Finalize();
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int* data = malloc(sizeof(int) * large);
  if (world_rank() == 0) {
    sender(data);
    send_last(data);
  } else {
    receiver(data);
    receive_last(data);
  }
  free(data);
  return 0;
}
