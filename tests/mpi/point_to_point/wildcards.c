/* ranks: 6
 * A receive from anybody takes every message once, and its status says whose it was. Posted receives are matched in the
 * order of their posting, wildcards or not. */
#include "check.h"

static void from_anybody(void) {
  const int rank = world_rank(), size = world_size(), each = 10;
  if (rank != 0) {
    int data[3];
    for (int i = 0; i < each; ++i) {
      fill(data, 3, rank, i);
      MPI_Send(data, 3, MPI_INT, 0, i, MPI_COMM_WORLD);
    }
    return;
  }
  int next[64] = {0};
  for (int i = 0; i < each * (size - 1); ++i) {
    int data[3];
    MPI_Status status;
    MPI_Recv(data, 3, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    check_elements(data, 3, status.MPI_SOURCE, status.MPI_TAG);
    CHECK_INT(status.MPI_TAG, next[status.MPI_SOURCE]++);
  }
  for (int i = 1; i < size; ++i) CHECK_INT(next[i], each);
}

static void posted_in_order(void) {
  const int sources[] = {MPI_ANY_SOURCE, 1, MPI_ANY_SOURCE, 1}, tags[] = {5, MPI_ANY_TAG, MPI_ANY_TAG, 5};
  if (world_rank() == 0) {
    int values[4];
    MPI_Request requests[4];
    for (int i = 0; i < 4; ++i) MPI_Irecv(&values[i], 1, MPI_INT, sources[i], tags[i], MPI_COMM_WORLD, &requests[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    /* tag 6 first: the first receive does not take it */
    CHECK_INT(values[0], element(1, 5, 1));
    CHECK_INT(values[1], element(1, 6, 0));
    CHECK_INT(values[2], element(1, 5, 2));
    CHECK_INT(values[3], element(1, 5, 3));
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() != 1) return;
    for (int i = 0; i < 4; ++i) {
      const int tag = i == 0 ? 6 : 5, value = element(1, tag, i);
      MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    }
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  from_anybody();
  MPI_Barrier(MPI_COMM_WORLD);
  posted_in_order();
  return finish();
}
