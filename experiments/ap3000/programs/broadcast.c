// A broadcast from rank 0, until the last rank has it.
//   broadcast mpi|aplib|nothing BYTES...
#include <aplib.h>

#include "together.h"

enum { BYTES_MAX = 1 << 20, TYPE = 1 };
static char data[BYTES_MAX];

// What measuring takes besides.
static void nothing(int bytes) { (void)bytes; }

static void mpi(int bytes) { MPI_Bcast(data, bytes, MPI_CHAR, 0, MPI_COMM_WORLD); }

static void aplib(int bytes) {
  if (rank == 0)
    cbroad(TYPE, data, bytes);
  else
    l_arecv(0, TYPE, data, BYTES_MAX, NULL);
}

// Another one than before each time, and it has to come.
static void check(void (*broadcast)(int)) {
  static char number = 0;
  ++number;
  if (rank == 0) memset(data, number, 100);
  broadcast(100);
  if (data[0] != number || data[99] != number) fail("a broadcast brought something else");
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  if (argc < 2) fail("broadcast mpi|aplib|nothing BYTES...");
  check(mpi);
  check(aplib);
  const char* which = argv[1];
  tell_times(strcmp(which, "aplib") == 0 ? aplib : strcmp(which, "mpi") == 0 ? mpi : nothing, argc, argv, 2);
  MPI_Finalize();
  return 0;
}
