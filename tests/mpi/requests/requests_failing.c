/* ranks: 2 3
 * Several requests of which one fails: the call gives MPI_ERR_IN_STATUS, every status its own error, and the others
 * have been received. The last ranks look on. What fails on a communicator that has been freed. */
#include "check.h"

enum { short_count = 10, long_count = 100, room = 20, failing = 1 };

static MPI_Comm pair;

static void send_three(void) {
  int data[long_count];
  for (int tag = 0; tag < 3; ++tag) {
    fill(data, long_count, 0, tag);
    MPI_Send(data, tag == failing ? long_count : short_count, MPI_INT, 1, tag, pair);
  }
}

static void post(int data[3][room], MPI_Request* requests) {
  for (int tag = 0; tag < 3; ++tag) MPI_Irecv(data[tag], room, MPI_INT, 0, tag, pair, &requests[tag]);
  requests[3] = MPI_REQUEST_NULL;
}

static void expect(int tag, const MPI_Status* status, const int* data) {
  FAILS(status->MPI_ERROR, tag == failing ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
  check_status(status, 0, tag, tag == failing ? room : short_count);
  check_elements(data, tag == failing ? room : short_count, 0, tag);
}

static void wait_for_all(int is_test) {
  int data[3][room], flag = 0, code;
  MPI_Request requests[4];
  MPI_Status statuses[4];
  post(data, requests);
  do code = is_test ? MPI_Testall(4, requests, &flag, statuses) : MPI_Waitall(4, requests, statuses);
  while (is_test && !flag);
  FAILS(code, MPI_ERR_IN_STATUS);
  for (int tag = 0; tag < 3; ++tag) expect(tag, &statuses[tag], data[tag]);
  FAILS(statuses[3].MPI_ERROR, MPI_SUCCESS);
  for (int i = 0; i < 4; ++i) CHECK(requests[i] == MPI_REQUEST_NULL);
}

static void wait_for_some(int is_test) {
  int data[3][room], done = 0, failures = 0;
  MPI_Request requests[4];
  MPI_Status statuses[4];
  post(data, requests);
  while (done < 3) {
    int now = -1, indices[4];
    const int code = is_test ? MPI_Testsome(4, requests, &now, indices, statuses)
                             : MPI_Waitsome(4, requests, &now, indices, statuses);
    CHECK(now >= !is_test && now <= 3 - done); /* told even if one has failed */
    int has_failed = 0;
    for (int i = 0; i < now; ++i) {
      if (code == MPI_SUCCESS) statuses[i].MPI_ERROR = MPI_SUCCESS; /* not set then */
      expect(indices[i], &statuses[i], data[indices[i]]);
      has_failed |= indices[i] == failing;
      CHECK(requests[indices[i]] == MPI_REQUEST_NULL);
    }
    FAILS(code, has_failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS);
    failures += has_failed;
    done += now;
  }
  CHECK_INT(failures, 1);
}

/* Those that tell of one give its own error. */
static void wait_for_any(int is_test) {
  int data[3][room], failures = 0;
  MPI_Request requests[4];
  post(data, requests);
  for (int done = 0; done < 3; ++done) {
    int index = MPI_UNDEFINED, flag = 0, code;
    MPI_Status status;
    status.MPI_ERROR = MPI_ERR_UNKNOWN;
    do code = is_test ? MPI_Testany(4, requests, &index, &flag, &status) : MPI_Waitany(4, requests, &index, &status);
    while (is_test && !flag);
    FAILS(code, index == failing ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    failures += index == failing;
    CHECK_INT(status.MPI_ERROR, MPI_ERR_UNKNOWN); /* left as it was */
    status.MPI_ERROR = index == failing ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
    expect(index, &status, data[index]);
  }
  CHECK_INT(failures, 1);
}

static int calls;
static void count_calls(MPI_Comm* comm, int* code, ...) {
  int rank;
  ++calls;
  CHECK(class_of(*code) == MPI_ERR_TRUNCATE || class_of(*code) == MPI_ERR_IN_STATUS);
  CHECK_INT(MPI_Comm_rank(*comm, &rank), MPI_SUCCESS);
  CHECK_INT(rank, 0);
}

/* The last use of a communicator that the program has freed already: its own handler is called all the same. */
static void fail_when_freed(int way) {
  MPI_Comm comm;
  MPI_Errhandler handler;
  MPI_Request request = MPI_REQUEST_NULL, send;
  MPI_Message message = MPI_MESSAGE_NULL;
  static const int sent[2];
  int data = 0, code = MPI_SUCCESS;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_create_errhandler(count_calls, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Errhandler_free(&handler);
  if (way < 2) MPI_Irecv(&data, 1, MPI_INT, 0, 0, comm, &request);
  MPI_Isend(sent, 2, MPI_INT, 0, 0, comm, &send);
  MPI_Request_free(&send);
  if (way == 2) MPI_Mprobe(0, 0, comm, &message, MPI_STATUS_IGNORE);
  MPI_Comm_free(&comm);
  if (way == 0) code = MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (way == 1) code = MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
  if (way == 2) code = MPI_Mrecv(&data, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  FAILS(code, way == 1 ? MPI_ERR_IN_STATUS : MPI_ERR_TRUNCATE);
  CHECK_INT(calls, way + 1);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_split(MPI_COMM_WORLD, world_rank() < 2 ? 0 : MPI_UNDEFINED, 0, &pair);
  if (pair != MPI_COMM_NULL) {
    MPI_Comm_set_errhandler(pair, MPI_ERRORS_RETURN);
    for (int is_test = 0; is_test < 2; ++is_test) {
      void (*const ways[3])(int) = {wait_for_all, wait_for_some, wait_for_any};
      for (int way = 0; way < 3; ++way) {
        if (world_rank() == 0)
          send_three();
        else
          ways[way](is_test);
        MPI_Barrier(pair);
      }
    }
    MPI_Comm_free(&pair);
  }
  for (int way = 0; way < 3; ++way) fail_when_freed(way);
  return finish();
}
