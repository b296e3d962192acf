/* One error under MPI_ERRORS_ARE_FATAL, named by the argument; test_errors.py knows what each has to say. */
#include "check.h"

#include <string.h>

static void wrong_datatype(const char* what) {
  int data[4] = {0, 0, 0, 0};
  MPI_Datatype type;
  if (strcmp(what, "uncommitted") == 0) {
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Send(data, 1, type, 0, 0, MPI_COMM_WORLD);
  }
  if (strcmp(what, "freed-type") == 0) {
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Datatype copy = type;
    MPI_Type_free(&type);
    MPI_Type_commit(&copy);
  }
  if (strcmp(what, "predefined-type") == 0) {
    type = MPI_INT;
    MPI_Type_free(&type);
  }
  if (strcmp(what, "subarray") == 0) {
    const int size = 5, part = 3, start = 4;
    MPI_Type_create_subarray(1, &size, &part, &start, MPI_ORDER_C, MPI_INT, &type);
  }
}

static void wrong(const char* what) {
  int data[4] = {0, 0, 0, 0}, flag;
  MPI_Request request;
  if (strcmp(what, "rank") == 0) MPI_Send(data, 1, MPI_INT, 7, 0, MPI_COMM_WORLD);
  if (strcmp(what, "source") == 0) MPI_Recv(data, 1, MPI_INT, 7, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (strcmp(what, "root") == 0) MPI_Bcast(data, 1, MPI_INT, 4, MPI_COMM_WORLD);
  if (strcmp(what, "count") == 0) MPI_Send(data, -3, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (strcmp(what, "buffer") == 0) MPI_Send(NULL, 3, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (strcmp(what, "tag") == 0) MPI_Send(data, 1, MPI_INT, 0, -4, MPI_COMM_WORLD);
  if (strcmp(what, "datatype") == 0) MPI_Send(data, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD);
  if (strcmp(what, "comm") == 0) MPI_Send(data, 1, MPI_INT, 0, 0, MPI_COMM_NULL);
  if (strcmp(what, "status") == 0) MPI_Recv(data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, NULL);
  if (strcmp(what, "buffered") == 0) MPI_Bsend(data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (strcmp(what, "freed") == 0) {
    MPI_Irecv(data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
    MPI_Request copy = request;
    MPI_Request_free(&request);
    MPI_Wait(&copy, MPI_STATUS_IGNORE);
  }
  if (strcmp(what, "truncate") == 0) {
    MPI_Irecv(data, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
    MPI_Send(data, 4, MPI_INT, 1, 5, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (strcmp(what, "op") == 0) MPI_Allreduce(MPI_IN_PLACE, data, 1, MPI_FLOAT, MPI_BXOR, MPI_COMM_WORLD);
  if (strcmp(what, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 42);
  if (strcmp(what, "twice") == 0) MPI_Init(NULL, NULL);
  if (strcmp(what, "test-loop") == 0) {
    MPI_Irecv(data, 1, MPI_INT, 0, 77, MPI_COMM_WORLD, &request);
    do MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    while (!flag);
  }
  if (strcmp(what, "probe-loop") == 0) {
    do MPI_Iprobe(MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    while (!flag);
  }
}

/* Two ranks that receive from each other, and one that waits for both. */
static void deadlock(void) {
  int value;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_name(comm, "pairs");
  if (world_rank() < 2)
    MPI_Recv(&value, 1, MPI_INT, 1 - world_rank(), 11, comm, MPI_STATUS_IGNORE);
  else
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "before-init") == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Init(&argc, &argv);
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "deadlock") == 0) deadlock();
  if (world_rank() == 1) wrong_datatype(what);
  if (world_rank() == 1) wrong(what);
  if (strcmp(what, "no-finalize") == 0) return 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  if (strcmp(what, "after-finalize") == 0) MPI_Barrier(MPI_COMM_WORLD);
  return 0;
}
