/* ranks: 3
 * Probes, matched probes, and receives of what they found. */
#include "check.h"

static void sender(void) {
  const int counts[] = {0, 1, 33, 5000};
  int* data[4];
  MPI_Request requests[4];
  for (int i = 0; i < 4; ++i) {
    data[i] = malloc(sizeof(int) * 5000);
    fill(data[i], counts[i], world_rank(), i);
  }
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 4; ++i) MPI_Isend(data[i], counts[i], MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD); /* so that what is received next is of the next round */
  }
  for (int i = 0; i < 4; ++i) free(data[i]);
}

static void check_received(const int* data, const MPI_Status* probed, const MPI_Status* received) {
  int count;
  MPI_Get_count(probed, MPI_INT, &count);
  check_status(received, probed->MPI_SOURCE, probed->MPI_TAG, count);
  check_elements(data, count, probed->MPI_SOURCE, probed->MPI_TAG);
}

static void receiver(void) {
  const int each = 4 * (world_size() - 1);
  int* data = malloc(sizeof(int) * 5000);
  MPI_Status probed, received;
  MPI_Message message = MPI_MESSAGE_NULL;
  int count, flag;
  for (int i = 0; i < each; ++i) {
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &probed);
    MPI_Get_count(&probed, MPI_INT, &count);
    MPI_Recv(data, count, MPI_INT, probed.MPI_SOURCE, probed.MPI_TAG, MPI_COMM_WORLD, &received);
    check_received(data, &probed, &received);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < each; ++i) {
    do MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &probed);
    while (!flag);
    MPI_Recv(data, 5000, MPI_INT, probed.MPI_SOURCE, probed.MPI_TAG, MPI_COMM_WORLD, &received);
    check_received(data, &probed, &received);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < each; ++i) {
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &probed);
    CHECK(message != MPI_MESSAGE_NULL);
    MPI_Mrecv(data, 5000, MPI_INT, &message, &received);
    CHECK(message == MPI_MESSAGE_NULL);
    check_received(data, &probed, &received);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < each; ++i) {
    MPI_Request request;
    do MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &probed);
    while (!flag);
    MPI_Imrecv(data, 5000, MPI_INT, &message, &request);
    CHECK(message == MPI_MESSAGE_NULL);
    MPI_Wait(&request, &received);
    check_received(data, &probed, &received);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  /* A probed message is out of matching: the next probe finds the next one. */
  MPI_Message messages[4];
  for (int tag = 0; tag < 4; ++tag) MPI_Mprobe(1, MPI_ANY_TAG, MPI_COMM_WORLD, &messages[tag], &probed);
  for (int tag = 3; tag >= 0; --tag) {
    MPI_Mrecv(data, 5000, MPI_INT, &messages[tag], &received);
    CHECK_INT(received.MPI_TAG, tag);
    MPI_Get_count(&received, MPI_INT, &count);
    check_elements(data, count, 1, tag);
  }
  for (int tag = 0; tag < 4; ++tag) MPI_Recv(data, 5000, MPI_INT, 2, tag, MPI_COMM_WORLD, &received);
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  CHECK_INT(flag, 0);
  MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
  CHECK_INT(flag, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  free(data);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (world_rank() == 0)
    receiver();
  else
    sender();
  return finish();
}
