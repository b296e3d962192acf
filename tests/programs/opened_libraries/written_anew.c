/* While the first rank has a library open, another file takes its place, which the second rank opens. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static int (*open_now(void))(void) {
  void* const library = dlopen("./now.so", RTLD_NOW);
  return library == NULL ? NULL : (int (*)(void))dlsym(library, "number");
}

int main(int argc, char** argv) {
  int rank;
  int (*number)(void) = NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) number = open_now();
  if (rank == 0) rename("next.so", "now.so");
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) number = open_now();
  MPI_Barrier(MPI_COMM_WORLD);
  printf("%d: %d\n", rank, number());
  MPI_Finalize();
  return 0;
}
