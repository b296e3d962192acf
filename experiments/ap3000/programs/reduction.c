// A reduction of doubles to rank 0 by MPI, until it has the result: of their sum, or with an operation that does
// nothing.
//   reduction sum|nothing BYTES...
#include "together.h"

enum { DOUBLES_MAX = 1 << 17 };
static double mine[DOUBLES_MAX], result[DOUBLES_MAX];
static MPI_Op operation = MPI_SUM;

static void leave_alone(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)in, (void)inout, (void)count, (void)type;
}

static void reduce(int bytes) {
  MPI_Reduce(mine, result, bytes / (int)sizeof(double), MPI_DOUBLE, operation, 0, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  if (argc < 2) fail("reduction sum|nothing BYTES...");
  const int adds = strcmp(argv[1], "sum") == 0;
  if (!adds) MPI_Op_create(leave_alone, 1, &operation);
  mine[1] = rank;
  reduce(2 * (int)sizeof(double));
  if (rank == 0 && adds && result[1] != ranks * (ranks - 1) / 2) fail("a reduction has another result");
  tell_times(reduce, argc, argv, 2);
  if (!adds) MPI_Op_free(&operation);
  MPI_Finalize();
  return 0;
}
