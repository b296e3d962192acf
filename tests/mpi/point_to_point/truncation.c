/* ranks: 2
 * A message that is too long: MPI_ERR_TRUNCATE from every call that can meet one, nothing written behind the buffer,
 * and the communicator still works. */
#include "check.h"

enum { sent = 20, room = 5 };

static void check_cut(const int* data, int tag) {
  check_elements(data, room, 0, tag);
  for (int i = room; i < sent; ++i) CHECK_INT(data[i], -1);
}

static void clear(int* data) {
  for (int i = 0; i < sent; ++i) data[i] = -1;
}

static void sender(void) {
  int data[sent];
  for (int tag = 0; tag < 4; ++tag) {
    fill(data, sent, 0, tag);
    MPI_Send(data, sent, MPI_INT, 1, tag, MPI_COMM_WORLD);
  }
  fill(data, room, 0, 4);
  MPI_Send(data, room, MPI_INT, 1, 4, MPI_COMM_WORLD);
  MPI_Recv(data, sent, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  fill(data, sent, 0, 6);
  MPI_Send(data, sent, MPI_INT, 1, 6, MPI_COMM_WORLD);
}

static void receiver(void) {
  int data[2][sent];
  MPI_Status status, statuses[2];
  MPI_Request request, requests[2];
  int error_class, flag;

  clear(data[0]);
  status.MPI_ERROR = 12345;
  MPI_Error_class(MPI_Recv(data[0], room, MPI_INT, 0, 0, MPI_COMM_WORLD, &status), &error_class);
  CHECK_INT(error_class, MPI_ERR_TRUNCATE);
  CHECK_INT(status.MPI_SOURCE, 0);
  CHECK_INT(status.MPI_TAG, 0);
  CHECK_INT(status.MPI_ERROR, 12345); /* only calls for several requests set it */
  check_cut(data[0], 0);

  clear(data[0]);
  MPI_Irecv(data[0], room, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
  CHECK_INT(MPI_Wait(&request, &status), MPI_ERR_TRUNCATE);
  CHECK(request == MPI_REQUEST_NULL);
  check_cut(data[0], 1);

  clear(data[0]);
  MPI_Irecv(data[0], room, MPI_INT, 0, 2, MPI_COMM_WORLD, &request);
  int code;
  do code = MPI_Test(&request, &flag, &status);
  while (code == MPI_SUCCESS && !flag);
  CHECK_INT(code, MPI_ERR_TRUNCATE);
  check_cut(data[0], 2);

  clear(data[0]);
  MPI_Irecv(data[1], room, MPI_INT, 0, 4, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(data[0], room, MPI_INT, 0, 3, MPI_COMM_WORLD, &requests[1]);
  CHECK_INT(MPI_Waitall(2, requests, statuses), MPI_ERR_IN_STATUS);
  CHECK_INT(statuses[0].MPI_ERROR, MPI_SUCCESS);
  CHECK_INT(statuses[1].MPI_ERROR, MPI_ERR_TRUNCATE);
  CHECK_INT(statuses[1].MPI_TAG, 3);
  CHECK(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
  check_elements(data[1], room, 0, 4);
  check_cut(data[0], 3);

  clear(data[0]);
  MPI_Send(data[0], 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  int message_room =
      MPI_Sendrecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, data[0], room, MPI_INT, 0, 6, MPI_COMM_WORLD, &status);
  CHECK_INT(message_room, MPI_ERR_TRUNCATE);
  check_cut(data[0], 6);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (world_rank() == 0) sender();
  if (world_rank() == 1) receiver();
  return finish();
}
