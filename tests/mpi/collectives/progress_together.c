/* ranks: 2 5
 * What a rank has begun goes on while it is in a barrier or a reduction, as others wait for that before they come. */
#include "check.h"

static int rank, size;

/* Others cannot begin the meeting before this rank's receive has been worked on. */
static void synchronous_sends(void (*meet)(void)) {
  int data = -1;
  MPI_Request request;
  const int from = (rank + size - 1) % size;
  if (rank == 0) {
    MPI_Irecv(&data, 1, MPI_INT, from, 1, MPI_COMM_WORLD, &request);
    meet();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK_INT(data, from);
  } else if (rank == size - 1) {
    MPI_Ssend(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    meet();
  } else {
    meet();
  }
}

/* Others cannot begin it before this rank has played its part in a nonblocking collective. */
static void nonblocking_collectives(void (*meet)(void)) {
  MPI_Request request;
  int sum = -1;
  MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  if (rank == size / 2) {
    meet();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    meet();
  }
  CHECK_INT(sum, size * (size - 1) / 2);
}

static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }

static void allreduce(void) {
  double mine[3] = {rank, -rank, 1}, greatest[3];
  MPI_Allreduce(mine, greatest, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  CHECK(greatest[0] == size - 1 && greatest[1] == 0 && greatest[2] == 1);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = world_rank();
  size = world_size();
  for (int round = 0; round < 3; ++round) {
    synchronous_sends(barrier);
    nonblocking_collectives(barrier);
    synchronous_sends(allreduce);
    nonblocking_collectives(allreduce);
  }
  return finish();
}
