/* ranks: 2
 * What a request is to the calls that ask for it: complete and not waited for, inactive, cancelled, freed while it is
 * under way; and what statuses then say. On each rank, to itself. */
#include "check.h"

static const MPI_Comm self = MPI_COMM_SELF;
static const int value = 17;

static int was_cancelled(const MPI_Status* status) {
  int flag;
  MPI_Test_cancelled(status, &flag);
  return flag;
}

static void expect_empty(const MPI_Status* status) {
  CHECK_INT(status->MPI_SOURCE, MPI_ANY_SOURCE);
  CHECK_INT(status->MPI_TAG, MPI_ANY_TAG);
  CHECK(!was_cancelled(status));
}

/* As often as one asks: it stays until it is waited for. */
static void complete(void) {
  int got = -1, flag, index;
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status status;
  MPI_Recv_init(&got, 1, MPI_INT, 0, 1, self, &requests[1]);
  MPI_Request_get_status(requests[1], &flag, &status);
  CHECK_INT(flag, 1); /* inactive */
  expect_empty(&status);
  MPI_Start(&requests[1]);
  MPI_Request_get_status(requests[1], &flag, &status);
  CHECK_INT(flag, 0);
  MPI_Send(&value, 1, MPI_INT, 0, 1, self);
  do MPI_Request_get_status(requests[1], &flag, &status);
  while (!flag);
  MPI_Request_get_status(requests[1], &flag, MPI_STATUS_IGNORE);
  CHECK_INT(flag, 1);
  check_status(&status, 0, 1, 1);
  FAILS(MPI_Start(&requests[1]), MPI_ERR_REQUEST); /* active until it has been waited for */
  MPI_Waitany(2, requests, &index, &status);
  CHECK_INT(index, 1);
  check_status(&status, 0, 1, 1);
  MPI_Waitany(2, requests, &index, &status);
  CHECK_INT(index, MPI_UNDEFINED);
  expect_empty(&status);
  MPI_Request_free(&requests[1]);
}

/* Only a status that several requests' calls set, and an empty one, say anything of an error. */
static void errors_in_statuses(void) {
  int got = -1;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  status.MPI_ERROR = MPI_ERR_OTHER;
  MPI_Wait(&request, &status);
  CHECK_INT(status.MPI_ERROR, MPI_SUCCESS);
  MPI_Isend(&value, 1, MPI_INT, 0, 2, self, &request);
  status.MPI_ERROR = MPI_ERR_OTHER;
  MPI_Probe(0, 2, self, &status);
  CHECK_INT(status.MPI_ERROR, MPI_ERR_OTHER);
  MPI_Recv(&got, 1, MPI_INT, 0, 2, self, &status);
  CHECK_INT(status.MPI_ERROR, MPI_ERR_OTHER);
  MPI_Wait(&request, &status);
  CHECK_INT(status.MPI_ERROR, MPI_ERR_OTHER);
  CHECK(!was_cancelled(&status));
}

/* A receive that is freed while it is active goes on. */
static void freed(void) {
  volatile int got = -1;
  int flag = 0;
  MPI_Request request;
  for (int persistent = 0; persistent < 2; ++persistent) {
    got = -1;
    if (persistent) {
      MPI_Recv_init((void*)&got, 1, MPI_INT, 0, 3, self, &request);
      MPI_Start(&request);
    } else {
      MPI_Irecv((void*)&got, 1, MPI_INT, 0, 3, self, &request);
    }
    MPI_Request_free(&request);
    CHECK(request == MPI_REQUEST_NULL);
    MPI_Send(&value, 1, MPI_INT, 0, 3, self);
    while (got != value) MPI_Iprobe(0, 3, self, &flag, MPI_STATUS_IGNORE);
    CHECK_INT(flag, 0);
  }
}

/* Twice, among others, freed instead of waited for: what it would have taken is there for the next. */
static void cancelled(void) {
  int got[3] = {-1, -1, -1};
  MPI_Request requests[3];
  MPI_Status statuses[3];
  for (int i = 0; i < 3; ++i) MPI_Irecv(&got[i], 1, MPI_INT, 0, 4 + i, self, &requests[i]);
  MPI_Cancel(&requests[1]);
  MPI_Cancel(&requests[1]);
  MPI_Send(&value, 1, MPI_INT, 0, 4, self);
  MPI_Send(&value, 1, MPI_INT, 0, 6, self);
  MPI_Waitall(3, requests, statuses);
  for (int i = 0; i < 3; ++i) CHECK_INT(was_cancelled(&statuses[i]), i == 1);
  CHECK(got[0] == value && got[1] == -1 && got[2] == value);
  MPI_Irecv(&got[1], 1, MPI_INT, 0, 5, self, &requests[1]);
  MPI_Cancel(&requests[1]);
  MPI_Request_free(&requests[1]);
  MPI_Isend(&value, 1, MPI_INT, 0, 5, self, &requests[0]);
  MPI_Recv(&got[2], 1, MPI_INT, 0, 5, self, &statuses[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  CHECK(got[1] == -1 && got[2] == value);
}

/* A message that a matched probe has given can be taken back by neither side. */
static void cancelled_when_matched(void) {
  int got = -1;
  MPI_Request send, receive;
  MPI_Message message;
  MPI_Status status;
  MPI_Isend(&value, 1, MPI_INT, 0, 7, self, &send);
  MPI_Mprobe(0, 7, self, &message, MPI_STATUS_IGNORE);
  MPI_Cancel(&send);
  MPI_Imrecv(&got, 1, MPI_INT, &message, &receive);
  MPI_Cancel(&receive);
  MPI_Wait(&receive, &status);
  CHECK(!was_cancelled(&status));
  check_status(&status, 0, 7, 1);
  MPI_Wait(&send, &status);
  CHECK(!was_cancelled(&status));
  CHECK_INT(got, value);
}

/* One that was cancelled, or not in time, can be started again. */
static void cancelled_persistent_send(void) {
  int got = -1, flag;
  MPI_Request request;
  MPI_Status status;
  MPI_Ssend_init(&value, 1, MPI_INT, 0, 8, self, &request);
  MPI_Start(&request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  CHECK(was_cancelled(&status)); /* nobody has received it */
  MPI_Iprobe(0, 8, self, &flag, MPI_STATUS_IGNORE);
  CHECK_INT(flag, 0);
  MPI_Start(&request);
  MPI_Recv(&got, 1, MPI_INT, 0, 8, self, MPI_STATUS_IGNORE);
  MPI_Wait(&request, &status);
  CHECK(!was_cancelled(&status));
  CHECK_INT(got, value);
  MPI_Request_free(&request);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  complete();
  errors_in_statuses();
  freed();
  cancelled();
  cancelled_when_matched();
  cancelled_persistent_send();
  return finish();
}
