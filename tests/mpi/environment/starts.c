/* What MPI says of how the run was started (test_starts.py): a line for each rank. */
#include "check.h"

static int attribute(int keyval) {
  int *value, flag = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, &value, &flag);
  CHECK(flag);
  return *value;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm node, reversed;
  int ranks[3], sizes[2];
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &ranks[0]);
  MPI_Comm_size(node, &sizes[0]);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -world_rank(), MPI_INFO_NULL, &reversed);
  MPI_Comm_rank(reversed, &ranks[1]);
  MPI_Comm_size(reversed, &sizes[1]);
  CHECK_INT(sizes[1], sizes[0]);
  CHECK_INT(ranks[1], sizes[0] - 1 - ranks[0]);
  /* The ranks of a node are those that have its name. */
  char names[2][MPI_MAX_PROCESSOR_NAME] = {"", ""};
  int length;
  MPI_Get_processor_name(names[0], &length);
  MPI_Sendrecv(names[0], MPI_MAX_PROCESSOR_NAME, MPI_CHAR, (ranks[0] + 1) % sizes[0], 0, names[1],
               MPI_MAX_PROCESSOR_NAME, MPI_CHAR, MPI_ANY_SOURCE, 0, node, MPI_STATUS_IGNORE);
  for (int i = 0; i <= length; ++i) CHECK_INT(names[0][i], names[1][i]);

  ranks[2] = world_rank();
  printf("%d: place %d of %d on its node, program %d, universe %d, host %d, io %d, global clock %d\n", ranks[2],
         ranks[0], sizes[0], attribute(MPI_APPNUM), attribute(MPI_UNIVERSE_SIZE), attribute(MPI_HOST) == MPI_PROC_NULL,
         attribute(MPI_IO) == MPI_ANY_SOURCE, attribute(MPI_WTIME_IS_GLOBAL));
  MPI_Comm_free(&node);
  MPI_Comm_free(&reversed);
  MPI_Finalize();
  return 0;
}
