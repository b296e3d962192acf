/* ranks: 2
 * MPI_PROC_NULL: every call returns at once, receives with an empty message from MPI_PROC_NULL. */
#include "check.h"

static void check_null(const MPI_Status* status) {
  int received;
  CHECK_INT(status->MPI_SOURCE, MPI_PROC_NULL);
  CHECK_INT(status->MPI_TAG, MPI_ANY_TAG);
  MPI_Get_count(status, MPI_INT, &received);
  CHECK_INT(received, 0);
}

/* Every way to make a request. */
static void requests(void) {
  int value = 17, flag;
  MPI_Request all[8];
  MPI_Status statuses[8];
  MPI_Isend(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &all[0]);
  MPI_Issend(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &all[1]);
  MPI_Ibsend(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &all[2]);
  MPI_Irsend(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &all[3]);
  MPI_Testall(4, all, &flag, statuses);
  CHECK_INT(flag, 1);
  for (int i = 0; i < 4; ++i) CHECK(all[i] == MPI_REQUEST_NULL);
  MPI_Send_init(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &all[0]);
  MPI_Ssend_init(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &all[1]);
  MPI_Bsend_init(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &all[2]);
  MPI_Rsend_init(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &all[3]);
  MPI_Recv_init(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &all[4]);
  for (int round = 0; round < 2; ++round) {
    if (round == 0) MPI_Startall(5, all);
    for (int i = 0; i < 5 && round == 1; ++i) MPI_Start(&all[i]);
    MPI_Waitall(5, all, statuses);
    check_null(&statuses[4]);
  }
  for (int i = 0; i < 5; ++i) MPI_Request_free(&all[i]);
  CHECK_INT(value, 17);
}

static void blocking(void) {
  int value = 17;
  MPI_Status status;
  MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
  MPI_Ssend(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
  MPI_Rsend(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
  MPI_Bsend(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
  MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status);
  check_null(&status);
  MPI_Sendrecv(&value, 1, MPI_INT, MPI_PROC_NULL, 1, &value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status);
  check_null(&status);
  MPI_Sendrecv_replace(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status);
  check_null(&status);
  CHECK_INT(value, 17);
}

static void probes(void) {
  int value = 17, flag = 0;
  MPI_Status status;
  MPI_Request request;
  MPI_Message message;
  MPI_Probe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status);
  check_null(&status);
  MPI_Iprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &flag, &status);
  CHECK_INT(flag, 1);
  check_null(&status);
  MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &message, &status);
  CHECK(message == MPI_MESSAGE_NO_PROC);
  check_null(&status);
  MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
  CHECK(message == MPI_MESSAGE_NULL);
  check_null(&status);
  MPI_Improbe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &flag, &message, &status);
  CHECK_INT(flag, 1);
  MPI_Imrecv(&value, 1, MPI_INT, &message, &request);
  MPI_Wait(&request, &status);
  check_null(&status);
  CHECK_INT(value, 17);
}

static void one_of_two(void) {
  int value = 17, index;
  MPI_Status status;
  MPI_Request requests[2];
  MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitany(2, requests, &index, &status);
  CHECK_INT(index, 0);
  check_null(&status);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
}

static void one_side_only(void) {
  const int value = 17;
  MPI_Status status;
  MPI_Request request;
  const int rank = world_rank(), to = rank == 0 ? 1 : MPI_PROC_NULL, from = rank == 1 ? 0 : MPI_PROC_NULL;
  int received = -1;
  MPI_Sendrecv(&rank, 1, MPI_INT, to, 2, &received, 1, MPI_INT, from, 2, MPI_COMM_WORLD, &status);
  CHECK_INT(received, rank == 1 ? 0 : -1);
  if (rank == 0) check_null(&status);
  received = rank;
  MPI_Sendrecv_replace(&received, 1, MPI_INT, to, 3, from, 3, MPI_COMM_WORLD, &status);
  CHECK_INT(received, 0);
  MPI_Isendrecv(&value, 1, MPI_INT, MPI_PROC_NULL, 1, &received, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD,
                &request);
  MPI_Wait(&request, &status);
  check_null(&status);
  MPI_Isendrecv(&value, 1, MPI_INT, to, 4, &received, 1, MPI_INT, from, 4, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, &status);
  CHECK_INT(received, rank == 1 ? 17 : 0);
  if (rank == 0) check_null(&status);
  received = rank + 5;
  MPI_Isendrecv_replace(&received, 1, MPI_INT, to, 5, from, 5, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, &status);
  CHECK_INT(received, 5);
}

/* That there is nobody does not make them right. */
static void wrong_arguments(void) {
  int value = 17;
  MPI_Request request;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  FAILS(MPI_Send(&value, -1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD), MPI_ERR_COUNT);
  FAILS(MPI_Send(&value, 1, MPI_DATATYPE_NULL, MPI_PROC_NULL, 1, MPI_COMM_WORLD), MPI_ERR_TYPE);
  FAILS(MPI_Isend(&value, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &request), MPI_ERR_TAG);
  FAILS(MPI_Recv(&value, -1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_COUNT);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  requests();
  blocking();
  probes();
  one_of_two();
  one_side_only();
  wrong_arguments();
  return finish();
}
