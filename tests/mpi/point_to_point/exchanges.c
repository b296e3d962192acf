/* ranks: 5
 * MPI_Sendrecv and MPI_Sendrecv_replace around a ring, of any size, with different counts and types on the two sides;
 * and their nonblocking forms, several at once, completed in all ways, tested, and freed. */
#include "check.h"

#include <hindcast.h>

enum { large = 20000 };

static void nonblocking(int* out, int* in) {
  const int rank = world_rank(), size = world_size(), right = (rank + 1) % size, left = (rank + size - 1) % size;
  int flag = 0, index;
  MPI_Request requests[3];
  MPI_Status status, statuses[2];
  for (int count = 0; count <= large; count = count * 4 + 1) {
    fill(out, count, rank, count);
    MPI_Isendrecv(out, count, MPI_INT, right, 1, in, large, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], &status);
    CHECK(requests[0] == MPI_REQUEST_NULL);
    check_status(&status, left, 1, count);
    check_elements(in, count, left, count);
    MPI_Isendrecv_replace(out, count, MPI_INT, left, 3, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &requests[0]);
    for (flag = 0; !flag; hindcast_compute_seconds(1e-6)) MPI_Test(&requests[0], &flag, &status);
    check_status(&status, right, 3, count);
    check_elements(out, count, right, count);
  }
  /* Two at once, in both directions, with what meets another call's message; neither ends without its partner. */
  const int value = rank;
  int from[3] = {-1, -1, -1};
  MPI_Isendrecv(&value, 1, MPI_INT, right, 5, &from[0], 1, MPI_INT, left, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Isendrecv(&value, 1, MPI_INT, left, 6, &from[1], 1, MPI_INT, right, 6, MPI_COMM_WORLD, &requests[1]);
  MPI_Irecv(&from[2], 1, MPI_INT, left, 7, MPI_COMM_WORLD, &requests[2]);
  MPI_Send(&value, 1, MPI_INT, right, 7, MPI_COMM_WORLD);
  MPI_Waitany(3, requests, &index, &status);
  CHECK(requests[index] == MPI_REQUEST_NULL);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  CHECK(from[0] == left && from[1] == right && from[2] == left);
  /* A half of one of them for a half of an ordinary one. */
  MPI_Isendrecv(&value, 1, MPI_INT, right, 8, &from[0], 1, MPI_INT, right, 9, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&from[1], 1, MPI_INT, left, 8, MPI_COMM_WORLD, &requests[1]);
  MPI_Ssend(&value, 1, MPI_INT, left, 9, MPI_COMM_WORLD);
  MPI_Waitall(2, requests, statuses);
  CHECK(from[0] == right && from[1] == left);
  check_status(&statuses[0], right, 9, 1);
  /* Freed, it goes on; the barrier is after all the receives' ends, as each rank sends only what it has got. */
  int token = 0, got = 0;
  MPI_Isendrecv(&value, 1, MPI_INT, right, 10, &token, 1, MPI_INT, left, 10, MPI_COMM_WORLD, &requests[0]);
  MPI_Request_free(&requests[0]);
  CHECK(requests[0] == MPI_REQUEST_NULL);
  MPI_Sendrecv(&value, 1, MPI_INT, right, 11, &got, 1, MPI_INT, left, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  /* It cannot be cancelled; and is told of what is too long. */
  MPI_Isendrecv(out, 2, MPI_INT, right, 12, in, 1, MPI_INT, left, 12, MPI_COMM_WORLD, &requests[0]);
  FAILS(MPI_Cancel(&requests[0]), MPI_ERR_REQUEST);
  FAILS(MPI_Wait(&requests[0], &status), MPI_ERR_TRUNCATE);
  CHECK(requests[0] == MPI_REQUEST_NULL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void blocking(int* out, int* in) {
  const int rank = world_rank(), size = world_size(), right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Status status;
  for (int count = 0; count <= large; count = count * 4 + 1) {
    fill(out, count, rank, count);
    MPI_Sendrecv(out, count, MPI_INT, right, 1, in, large, MPI_INT, left, 1, MPI_COMM_WORLD, &status);
    check_status(&status, left, 1, count);
    check_elements(in, count, left, count);
    MPI_Sendrecv(out, count * (int)sizeof(int), MPI_BYTE, left, 2, in, large, MPI_INT, right, 2, MPI_COMM_WORLD,
                 &status);
    check_elements(in, count, right, count);
    MPI_Sendrecv_replace(out, count, MPI_INT, right, 3, left, 3, MPI_COMM_WORLD, &status);
    check_status(&status, left, 3, count);
    check_elements(out, count, left, count);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int* out = malloc(sizeof(int) * large);
  int* in = malloc(sizeof(int) * large);
  blocking(out, in);
  nonblocking(out, in);
  free(out);
  free(in);
  return finish();
}
