/* Each rank counts in the library that it opens; then it calls the function that it is told. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  void* const library = dlopen("./counts.so", RTLD_NOW);
  if (library == NULL) return printf("%s\n", dlerror()), 1;
  int (*count_to)(int) = (int (*)(int))dlsym(library, "count_to");
  count_to(rank);
  printf("%d: %d\n", rank, count_to(2 * rank));
  if (argc > 1) ((void (*)(void))dlsym(library, argv[1]))();
  MPI_Finalize();
  return 0;
}
