/* ranks: 4
 * All forms of wait and test: what they return with requests that have ended, that have not, that are null. */
#include "check.h"

enum { count = 6 };

static void post(int* data, MPI_Request* requests) {
  for (int i = 0; i < count; ++i) {
    data[i] = -1;
    MPI_Irecv(&data[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
  }
}

/* Rank 1 sends tags first..last when told. */
static void tell(int first, int last) {
  const int range[2] = {first, last};
  MPI_Send(range, 2, MPI_INT, 1, 100, MPI_COMM_WORLD);
}

static void serve(void) {
  for (;;) {
    int range[2];
    MPI_Recv(range, 2, MPI_INT, 0, 100, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (range[0] < 0) return;
    for (int tag = range[0]; tag <= range[1]; ++tag) {
      const int value = element(1, tag, 0);
      MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    }
  }
}

static void check_empty(const MPI_Status* status) {
  int received, cancelled;
  CHECK_INT(status->MPI_SOURCE, MPI_ANY_SOURCE);
  CHECK_INT(status->MPI_TAG, MPI_ANY_TAG);
  MPI_Get_count(status, MPI_INT, &received);
  CHECK_INT(received, 0);
  MPI_Test_cancelled(status, &cancelled);
  CHECK_INT(cancelled, 0);
}

static void null_requests(void) {
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status status, statuses[2];
  int flag = -1, index = -1, indices[2], outcount = -1;
  MPI_Wait(&requests[0], &status);
  check_empty(&status);
  MPI_Test(&requests[0], &flag, &status);
  CHECK_INT(flag, 1);
  check_empty(&status);
  MPI_Waitany(2, requests, &index, &status);
  CHECK_INT(index, MPI_UNDEFINED);
  check_empty(&status);
  flag = -1;
  MPI_Testany(2, requests, &index, &flag, &status);
  CHECK_INT(flag, 1);
  CHECK_INT(index, MPI_UNDEFINED);
  MPI_Waitall(2, requests, statuses);
  check_empty(&statuses[1]);
  flag = -1;
  MPI_Testall(2, requests, &flag, statuses);
  CHECK_INT(flag, 1);
  check_empty(&statuses[0]);
  MPI_Waitsome(2, requests, &outcount, indices, statuses);
  CHECK_INT(outcount, MPI_UNDEFINED);
  outcount = -1;
  MPI_Testsome(2, requests, &outcount, indices, statuses);
  CHECK_INT(outcount, MPI_UNDEFINED);
  MPI_Waitall(0, NULL, NULL);
  MPI_Waitany(0, NULL, &index, &status);
  CHECK_INT(index, MPI_UNDEFINED);
  flag = -1;
  MPI_Request_get_status(MPI_REQUEST_NULL, &flag, &status);
  CHECK_INT(flag, 1);
  check_empty(&status);
}

static void wait_forms(void) {
  int data[count], indices[count], index, outcount, done = 0;
  MPI_Request requests[count];
  MPI_Status status, statuses[count];

  post(data, requests);
  tell(0, count - 1);
  for (int i = count - 1; i >= 0; --i) {
    MPI_Wait(&requests[i], &status);
    check_status(&status, 1, i, 1);
    check_elements(&data[i], 1, 1, i);
  }

  post(data, requests);
  tell(0, count - 1);
  for (int i = 0; i < count; ++i) {
    MPI_Waitany(count, requests, &index, &status);
    CHECK(index >= 0 && index < count && requests[index] == MPI_REQUEST_NULL);
    check_status(&status, 1, index, 1);
    check_elements(&data[index], 1, 1, index);
    CHECK((done >> index & 1) == 0);
    done |= 1 << index;
  }
  CHECK_INT(done, (1 << count) - 1);

  post(data, requests);
  tell(3, 3); /* the only one that can end */
  MPI_Waitany(count, requests, &index, &status);
  CHECK_INT(index, 3);
  tell(0, 2);
  tell(4, count - 1);
  for (int left = count - 1; left > 0; left -= outcount) {
    MPI_Waitsome(count, requests, &outcount, indices, statuses);
    CHECK(outcount > 0 && outcount <= left);
    for (int i = 0; i < outcount; ++i) {
      CHECK(indices[i] != 3 && requests[indices[i]] == MPI_REQUEST_NULL);
      check_status(&statuses[i], 1, indices[i], 1);
      check_elements(&data[indices[i]], 1, 1, indices[i]);
    }
  }
}

static void test_forms(void) {
  int data[count], indices[count], index, outcount, flag;
  MPI_Request requests[count];
  MPI_Status status, statuses[count];

  post(data, requests);
  MPI_Test(&requests[0], &flag, &status);
  CHECK_INT(flag, 0);
  CHECK(requests[0] != MPI_REQUEST_NULL);
  MPI_Testall(count, requests, &flag, statuses);
  CHECK_INT(flag, 0);
  MPI_Testany(count, requests, &index, &flag, &status);
  CHECK_INT(flag, 0);
  CHECK_INT(index, MPI_UNDEFINED);
  MPI_Testsome(count, requests, &outcount, indices, statuses);
  CHECK_INT(outcount, 0);
  MPI_Request_get_status(requests[0], &flag, &status);
  CHECK_INT(flag, 0);

  tell(0, 0);
  do MPI_Request_get_status(requests[0], &flag, &status);
  while (!flag);
  check_status(&status, 1, 0, 1);
  CHECK(requests[0] != MPI_REQUEST_NULL);
  MPI_Test(&requests[0], &flag, &status); /* has ended, and stays so */
  CHECK_INT(flag, 1);
  check_status(&status, 1, 0, 1);
  CHECK(requests[0] == MPI_REQUEST_NULL);

  tell(4, 4);
  do MPI_Testany(count, requests, &index, &flag, &status);
  while (!flag);
  CHECK_INT(index, 4);
  check_elements(&data[4], 1, 1, 4);

  tell(1, 2);
  for (int done = 0; done < 2; done += outcount) {
    MPI_Testsome(count, requests, &outcount, indices, statuses);
    for (int i = 0; i < outcount; ++i) check_status(&statuses[i], 1, indices[i], 1);
  }
  CHECK(requests[1] == MPI_REQUEST_NULL && requests[2] == MPI_REQUEST_NULL);

  MPI_Testall(count, requests, &flag, statuses); /* two to come: none is touched */
  CHECK_INT(flag, 0);
  CHECK(requests[3] != MPI_REQUEST_NULL && requests[5] != MPI_REQUEST_NULL);
  tell(3, 3);
  tell(5, 5);
  do MPI_Testall(count, requests, &flag, statuses);
  while (!flag);
  check_empty(&statuses[0]);
  check_status(&statuses[3], 1, 3, 1);
  check_status(&statuses[5], 1, 5, 1);
  check_elements(&data[5], 1, 1, 5);
}

/* One request frees its communicator's last use. */
static void communicator_freed_meanwhile(void) {
  MPI_Comm comm;
  MPI_Request request;
  int value = -1;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (world_rank() == 2) MPI_Irecv(&value, 1, MPI_INT, 3, 8, comm, &request);
  if (world_rank() == 3) {
    value = element(3, 8, 0);
    MPI_Isend(&value, 1, MPI_INT, 2, 8, comm, &request);
  }
  MPI_Comm_free(&comm);
  CHECK(comm == MPI_COMM_NULL);
  if (world_rank() >= 2) MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (world_rank() == 2) CHECK_INT(value, element(3, 8, 0));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  null_requests();
  if (world_rank() == 0) {
    wait_forms();
    test_forms();
    tell(-1, -1);
  } else if (world_rank() == 1) {
    serve();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  communicator_freed_meanwhile();
  return finish();
}
