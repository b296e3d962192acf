/* ranks: 2
 * Cancelled receives and sends, in time and too late: either the message is taken back, or it is there as if nothing
 * had happened. */
#include "check.h"

static void cancelled_receive(void) {
  MPI_Request request;
  MPI_Status status;
  int value = -1, cancelled;
  MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &cancelled);
  CHECK_INT(cancelled, 1);
  CHECK(request == MPI_REQUEST_NULL);
  CHECK_INT(value, -1);
}

/* What the cancelled receive would have taken goes to the next one. */
static void receive_after_cancel(void) {
  int value = -1;
  if (world_rank() == 0) {
    cancelled_receive();
    MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_INT(value, element(1, 1, 0));
  } else {
    MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    value = element(1, 1, 0);
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  }
}

static void receive_too_late(void) {
  MPI_Request request;
  MPI_Status status;
  int value = -1, cancelled;
  if (world_rank() == 0) {
    MPI_Irecv(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &request);
    MPI_Recv(NULL, 0, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    CHECK_INT(cancelled, 0);
    check_status(&status, 1, 2, 1);
    CHECK_INT(value, element(1, 2, 0));
  } else {
    value = element(1, 2, 0);
    MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    MPI_Send(NULL, 0, MPI_INT, 0, 3, MPI_COMM_WORLD);
  }
}

/* The receiver is told whether there is a message to come. */
static void cancelled_send(int count, int synchronous, int tag) {
  int* data = malloc(sizeof(int) * (count + 1));
  int cancelled;
  if (world_rank() == 0) {
    MPI_Request request;
    MPI_Status status;
    fill(data, count, 0, tag);
    if (synchronous)
      MPI_Issend(data, count, MPI_INT, 1, tag, MPI_COMM_WORLD, &request);
    else
      MPI_Isend(data, count, MPI_INT, 1, tag, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    MPI_Send(&cancelled, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
  } else {
    int flag;
    MPI_Recv(&cancelled, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (cancelled) {
      MPI_Iprobe(0, tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
      CHECK_INT(flag, 0);
    } else {
      MPI_Recv(data, count, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      check_elements(data, count, 0, tag);
    }
  }
  free(data);
}

static void cancelled_persistent(void) {
  MPI_Request request;
  MPI_Status status;
  int value = -1, cancelled;
  if (world_rank() != 0) return;
  MPI_Recv_init(&value, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, &request);
  for (int i = 0; i < 2; ++i) {
    MPI_Start(&request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    CHECK_INT(cancelled, 1);
    CHECK(request != MPI_REQUEST_NULL);
  }
  MPI_Request_free(&request);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  receive_after_cancel();
  receive_too_late();
  for (int synchronous = 0; synchronous < 2; ++synchronous) {
    cancelled_send(1, synchronous, 10 + synchronous);
    cancelled_send(50000, synchronous, 20 + synchronous);
  }
  cancelled_persistent();
  return finish();
}
