/* ranks: 1 2
 * Requests that the program completes itself: when its callbacks are called, with what, and what their errors do. */
#include "check.h"

static int queries, frees, cancels, was_complete;

static int query(void* state, MPI_Status* status) {
  ++queries;
  MPI_Status_set_elements(status, MPI_INT, *(int*)state);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = world_rank();
  status->MPI_TAG = *(int*)state + 1;
  return MPI_SUCCESS;
}

static int end(void* state) {
  (void)state;
  ++frees;
  return MPI_SUCCESS;
}

static int cancel(void* state, int complete) {
  (void)state;
  ++cancels;
  was_complete = complete;
  return MPI_SUCCESS;
}

static int failing_query(void* state, MPI_Status* status) {
  query(state, status);
  return MPI_ERR_ARG;
}
static int failing_end(void* state) {
  end(state);
  return MPI_ERR_OTHER;
}
static int failing_cancel(void* state, int complete) {
  cancel(state, complete);
  return MPI_ERR_UNKNOWN;
}

static void expect_calls(int of_query, int of_end, int of_cancel) {
  CHECK_INT(queries, of_query);
  CHECK_INT(frees, of_end);
  CHECK_INT(cancels, of_cancel);
  queries = frees = cancels = 0;
}

static void one(void) {
  int state = 5, flag = -1;
  MPI_Request request;
  MPI_Status status;
  MPI_Grequest_start(query, end, cancel, &state, &request);
  MPI_Test(&request, &flag, &status);
  CHECK_INT(flag, 0);
  MPI_Cancel(&request);
  CHECK_INT(was_complete, 0);
  expect_calls(0, 0, 1);
  MPI_Grequest_complete(request);
  expect_calls(0, 0, 0);
  MPI_Cancel(&request);
  CHECK_INT(was_complete, 1);
  MPI_Request_get_status(request, &flag, &status);
  CHECK_INT(flag, 1);
  expect_calls(1, 0, 1);
  MPI_Wait(&request, &status);
  CHECK(request == MPI_REQUEST_NULL);
  expect_calls(1, 1, 0);
  check_status(&status, world_rank(), 6, 5);
  MPI_Grequest_start(query, end, cancel, &state, &request);
  MPI_Grequest_complete(request);
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  CHECK_INT(flag, 1);
  expect_calls(1, 1, 0);
}

/* What is freed goes when both have been called. */
static void freed(void) {
  int state = 0;
  MPI_Request request, kept;
  MPI_Grequest_start(query, end, cancel, &state, &request);
  kept = request;
  MPI_Request_free(&request);
  CHECK(request == MPI_REQUEST_NULL);
  expect_calls(0, 0, 0);
  MPI_Grequest_complete(kept);
  expect_calls(0, 1, 0);
  MPI_Grequest_start(query, end, cancel, &state, &request);
  MPI_Grequest_complete(request);
  MPI_Request_free(&request);
  expect_calls(0, 1, 0);
}

/* Among requests of other kinds, in every way to wait for several. */
static void mixed(void) {
  for (int way = 0; way < 3; ++way) {
    const int value = element(world_rank(), way, 0);
    int state = way, received = -1, left = 3, index, indices[3], done;
    MPI_Request requests[3];
    MPI_Status statuses[3];
    MPI_Irecv(&received, 1, MPI_INT, 0, way, MPI_COMM_SELF, &requests[0]);
    MPI_Grequest_start(query, end, cancel, &state, &requests[1]);
    MPI_Isend(&value, 1, MPI_INT, 0, way, MPI_COMM_SELF, &requests[2]);
    MPI_Grequest_complete(requests[1]);
    if (way == 0) {
      MPI_Waitall(3, requests, statuses);
      check_status(&statuses[1], world_rank(), 1, 0);
    }
    for (; way == 1 && left > 0; --left) MPI_Waitany(3, requests, &index, statuses);
    for (; way == 2 && left > 0; left -= done) MPI_Waitsome(3, requests, &done, indices, statuses);
    for (int i = 0; i < 3; ++i) CHECK(requests[i] == MPI_REQUEST_NULL);
    CHECK_INT(received, value);
    expect_calls(1, 1, 0);
  }
}

static void begin(MPI_Request* requests, int* state) {
  for (int i = 0; i < 3; ++i) MPI_Grequest_start(query, end, cancel, state, &requests[i]);
}

/* Tests of several say no until the program has completed what they look for, and call nothing before. */
static void tested(void) {
  int state = 2, flag = -1, index = -1, done = -1, indices[3];
  MPI_Request requests[3];
  MPI_Status status, statuses[3];
  begin(requests, &state);
  MPI_Grequest_complete(requests[1]);
  MPI_Testall(3, requests, &flag, statuses);
  CHECK_INT(flag, 0);
  CHECK_INT(frees, 0);
  MPI_Testany(3, requests, &index, &flag, &status);
  CHECK(flag && index == 1);
  check_status(&status, world_rank(), 3, 2);
  MPI_Testany(3, requests, &index, &flag, &status);
  CHECK(!flag && index == MPI_UNDEFINED);
  MPI_Testsome(3, requests, &done, indices, statuses);
  CHECK_INT(done, 0);
  MPI_Grequest_complete(requests[2]);
  MPI_Testsome(3, requests, &done, indices, statuses);
  CHECK(done == 1 && indices[0] == 2);
  check_status(&statuses[0], world_rank(), 3, 2);
  MPI_Grequest_complete(requests[0]);
  MPI_Testall(3, requests, &flag, MPI_STATUSES_IGNORE); /* the query is given a status all the same */
  CHECK_INT(flag, 1);
  expect_calls(queries, 3, 0);
  begin(requests, &state);
  for (int i = 0; i < 3; ++i) MPI_Grequest_complete(requests[i]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  expect_calls(3, 3, 0);
}

/* To be told of a request does not end it, however often. */
static void asked_again(void) {
  int state = 1, flag = -1;
  MPI_Request request;
  MPI_Grequest_start(query, end, cancel, &state, &request);
  MPI_Grequest_complete(request);
  for (int i = 0; i < 2; ++i) {
    MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    CHECK(flag && frees == 0);
  }
  MPI_Request_free(&request);
  expect_calls(2, 1, 0);
}

/* Where both callbacks fail, the one that is called last says what the error is. */
static void both_fail(void) {
  int state = 0;
  MPI_Request request;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Grequest_start(failing_query, failing_end, cancel, &state, &request);
  MPI_Grequest_complete(request);
  FAILS(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_OTHER);
  expect_calls(1, 1, 0);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void errors(void) {
  int state = 0;
  MPI_Request requests[3], request;
  MPI_Status statuses[3];
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int i = 0; i < 3; ++i) {
    MPI_Grequest_start(i == 1 ? failing_query : query, i == 2 ? failing_end : end, cancel, &state, &requests[i]);
    MPI_Grequest_complete(requests[i]);
  }
  FAILS(MPI_Waitall(3, requests, statuses), MPI_ERR_IN_STATUS);
  FAILS(statuses[0].MPI_ERROR, MPI_SUCCESS);
  FAILS(statuses[1].MPI_ERROR, MPI_ERR_ARG);
  FAILS(statuses[2].MPI_ERROR, MPI_ERR_OTHER);
  expect_calls(3, 3, 0);
  MPI_Grequest_start(failing_query, end, failing_cancel, &state, &request);
  FAILS(MPI_Cancel(&request), MPI_ERR_UNKNOWN);
  MPI_Grequest_complete(request);
  FAILS(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_ARG);
  CHECK(request == MPI_REQUEST_NULL);
  MPI_Grequest_start(query, failing_end, cancel, &state, &request);
  MPI_Grequest_complete(request);
  FAILS(MPI_Request_free(&request), MPI_ERR_OTHER);
  FAILS(MPI_Grequest_start(NULL, end, cancel, &state, &request), MPI_ERR_ARG);
  FAILS(MPI_Grequest_complete(MPI_REQUEST_NULL), MPI_ERR_REQUEST);
  MPI_Irecv(&state, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
  FAILS(MPI_Grequest_complete(request), MPI_ERR_REQUEST);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Grequest_start(query, end, cancel, &state, &request);
  MPI_Grequest_complete(request);
  FAILS(MPI_Grequest_complete(request), MPI_ERR_REQUEST); /* not twice */
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  one();
  freed();
  mixed();
  tested();
  asked_again();
  both_fail();
  errors();
  return finish();
}
