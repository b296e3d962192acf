/* ranks: 4
 * Persistent requests: begun again and again, inactive in between, freed at the end. */
#include "check.h"

enum { count = 700, rounds = 5 };

/* They outlive the datatype and the communicator that they were made with. While inactive they are nothing to wait for,
 * in every way to wait. */
static void outliving(void) {
  const int rank = world_rank(), size = world_size(), right = (rank + 1) % size, left = (rank + size - 1) % size;
  int out[6], in[6], indices[2], index, done, flag;
  MPI_Comm comm;
  MPI_Datatype every_other;
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Type_vector(3, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  MPI_Send_init(out, 1, every_other, right, 3, comm, &requests[0]);
  MPI_Recv_init(in, 1, every_other, left, 3, comm, &requests[1]);
  MPI_Type_free(&every_other);
  MPI_Comm_free(&comm);
  for (int round = 0; round < rounds; ++round) {
    fill(out, 6, rank, round);
    for (int i = 0; i < 6; ++i) in[i] = -1;
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, statuses);
    CHECK_INT(statuses[1].MPI_TAG, 3);
    for (int i = 0; i < 6; ++i) CHECK_INT(in[i], i % 2 ? -1 : element(left, round, i));
    statuses[1].MPI_ERROR = MPI_ERR_UNKNOWN;
    MPI_Waitall(2, requests, statuses);
    CHECK_INT(statuses[1].MPI_TAG, MPI_ANY_TAG);
    CHECK_INT(statuses[1].MPI_ERROR, MPI_SUCCESS); /* an empty status says so */
    MPI_Waitany(2, requests, &index, statuses);
    CHECK_INT(index, MPI_UNDEFINED);
    MPI_Testany(2, requests, &index, &flag, statuses);
    CHECK(flag && index == MPI_UNDEFINED);
    MPI_Waitsome(2, requests, &done, indices, statuses);
    CHECK_INT(done, MPI_UNDEFINED);
    MPI_Testsome(2, requests, &done, indices, statuses);
    CHECK_INT(done, MPI_UNDEFINED);
    MPI_Testall(2, requests, &flag, statuses);
    CHECK_INT(flag, 1);
  }
  for (int i = 0; i < 2; ++i) MPI_Request_free(&requests[i]);
}

/* A receive that was cancelled can be started again. */
static void cancelled(void) {
  const int value = element(world_rank(), 8, 0);
  int received = -1, flag;
  MPI_Request request;
  MPI_Status status;
  MPI_Recv_init(&received, 1, MPI_INT, 0, 8, MPI_COMM_SELF, &request);
  MPI_Start(&request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &flag);
  CHECK_INT(flag, 1);
  MPI_Start(&request);
  MPI_Send(&value, 1, MPI_INT, 0, 8, MPI_COMM_SELF);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &flag);
  CHECK_INT(flag, 0);
  check_status(&status, 0, 8, 1);
  CHECK_INT(received, value);
  MPI_Request_free(&request);
}

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
  outliving();
  cancelled();
  return finish();
}
