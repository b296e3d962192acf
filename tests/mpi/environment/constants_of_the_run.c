/* ranks: 1 2 5
 * What is the same for all ranks, and stays: the largest tag, the clock, the communicators that there are from the
 * beginning. */
#include "check.h"

static int same_everywhere(int value) {
  const int both[2] = {value, -value};
  int most[2];
  MPI_Allreduce(both, most, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return most[0] == -most[1];
}

static void expect_fatal(MPI_Comm comm) {
  MPI_Errhandler found;
  MPI_Comm_get_errhandler(comm, &found);
  CHECK(found == MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&found);
}

static void start(void) {
  int size = -1, result = -1;
  MPI_Init(NULL, NULL);
  expect_fatal(MPI_COMM_WORLD);
  expect_fatal(MPI_COMM_SELF);
  MPI_Comm_size(MPI_COMM_SELF, &size);
  CHECK_INT(size, 1);
  MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_SELF, &result);
  CHECK_INT(result, world_size() > 1 ? MPI_UNEQUAL : MPI_CONGRUENT);
}

/* A message may have the largest tag, in every communicator. */
static void tags(void) {
  const int rank = world_rank(), size = world_size();
  int *largest, *again, flag = 0, received = -1;
  MPI_Comm copy;
  MPI_Status status;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &largest, &flag);
  CHECK(flag && same_everywhere(*largest));
  const int before = *largest;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, *largest, &received, 1, MPI_INT, (rank + size - 1) % size,
               MPI_ANY_TAG, copy, &status);
  CHECK_INT(received, (rank + size - 1) % size);
  check_status(&status, (rank + size - 1) % size, *largest, 1);
  MPI_Comm_free(&copy);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &again, &flag);
  CHECK(flag && *again == before);
}

/* Who hears of a time has it no later by his own clock, if the clocks are one. */
static void clocks(void) {
  const int rank = world_rank(), size = world_size();
  int *is_global, flag = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &is_global, &flag);
  CHECK(flag && same_everywhere(*is_global));
  if (!*is_global) return;
  double sent = MPI_Wtime(), received = -1;
  MPI_Sendrecv(&sent, 1, MPI_DOUBLE, (rank + 1) % size, 1, &received, 1, MPI_DOUBLE, (rank + size - 1) % size, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(received >= 0 && received <= MPI_Wtime());
}

int main(void) {
  start();
  tags();
  clocks();
  return finish();
}
