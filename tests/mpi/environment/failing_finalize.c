/* ranks: 1 3
 * A callback that fails when MPI_Finalize deletes the attributes of MPI_COMM_SELF: the call says so on its rank, and
 * MPI is finalized all the same, so that the other ranks come to their end. */
#include "check.h"

static int calls;

static int refuse(MPI_Comm comm, int key, void* value, void* state) {
  (void)comm, (void)key, (void)value, (void)state;
  ++calls;
  return MPI_ERR_ARG;
}

static int ends_all_the_same(int rank) {
  const int code = MPI_Finalize();
  int is_finalized = 0;
  MPI_Finalized(&is_finalized);
  return is_finalized && calls == (rank == 0) && class_of(code) == (rank == 0 ? MPI_ERR_ARG : MPI_SUCCESS);
}

int main(int argc, char** argv) {
  int key;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int rank = world_rank();
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, refuse, &key, NULL);
  if (rank == 0) MPI_Comm_set_attr(MPI_COMM_SELF, key, &calls);
  if (!ends_all_the_same(rank)) return 1;
  if (rank == 0) printf("ok\n");
  return 0;
}
