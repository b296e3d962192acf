/* ranks: 3
 * Messages of a rank to itself, and MPI_COMM_SELF, which is apart from MPI_COMM_WORLD. */
#include "check.h"

enum { large = 30000 };

static void in_the_world(void) {
  const int rank = world_rank();
  int* out = malloc(sizeof(int) * large);
  int* in = malloc(sizeof(int) * large);
  MPI_Request requests[2];
  MPI_Status status;
  for (int count = 1; count <= large; count *= 30) {
    fill(out, count, rank, count);
    MPI_Irecv(in, count, MPI_INT, rank, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Send(out, count, MPI_INT, rank, 1, MPI_COMM_WORLD);
    MPI_Wait(&requests[0], &status);
    check_status(&status, rank, 1, count);
    check_elements(in, count, rank, count);
    MPI_Isend(out, count, MPI_INT, rank, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Probe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
    MPI_Recv(in, count, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    check_status(&status, rank, 2, count);
    MPI_Sendrecv(out, count, MPI_INT, rank, 3, in, count, MPI_INT, rank, 3, MPI_COMM_WORLD, &status);
    check_elements(in, count, rank, count);
  }
  free(out);
  free(in);
}

static void alone(void) {
  const int rank = world_rank();
  int size, own_rank, flag, value = -1, in = -1;
  MPI_Request request;
  MPI_Status status;
  MPI_Comm_size(MPI_COMM_SELF, &size);
  MPI_Comm_rank(MPI_COMM_SELF, &own_rank);
  CHECK_INT(size, 1);
  CHECK_INT(own_rank, 0);
  MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &request);
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % 3, 9, &in, 1, MPI_INT, (rank + 2) % 3, 9, MPI_COMM_WORLD, &status);
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  CHECK_INT(flag, 0);
  MPI_Send(&rank, 1, MPI_INT, 0, 9, MPI_COMM_SELF);
  MPI_Wait(&request, &status);
  check_status(&status, 0, 9, 1);
  CHECK_INT(value, rank);
}

/* The largest tag that there may be, and what is beyond it. */
static void largest_tag(void) {
  const int value = world_rank();
  int *largest, flag, got = -1;
  MPI_Request request;
  MPI_Status status;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &largest, &flag);
  CHECK(flag);
  MPI_Irecv(&got, 1, MPI_INT, 0, *largest, MPI_COMM_SELF, &request);
  MPI_Send(&value, 1, MPI_INT, 0, *largest, MPI_COMM_SELF);
  MPI_Wait(&request, &status);
  check_status(&status, 0, *largest, 1);
  CHECK_INT(got, value);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  if (*largest < 2147483647) {
    FAILS(MPI_Send(&value, 1, MPI_INT, 0, *largest + 1, MPI_COMM_SELF), MPI_ERR_TAG);
    FAILS(MPI_Irecv(&got, 1, MPI_INT, 0, *largest + 1, MPI_COMM_SELF, &request), MPI_ERR_TAG);
  }
  /* What only a receive may say. */
  FAILS(MPI_Send(&value, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_SELF), MPI_ERR_TAG);
  FAILS(MPI_Isend(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_SELF, &request), MPI_ERR_RANK);
  FAILS(MPI_Send(&value, 1, MPI_INT, MPI_ROOT, 0, MPI_COMM_SELF), MPI_ERR_RANK);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  in_the_world();
  alone();
  largest_tag();
  return finish();
}
