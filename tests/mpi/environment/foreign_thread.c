/* MPI called from a thread that the simulation knows nothing of; test_errors.py knows what that has to say. */
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

static void* other(void* nothing) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return nothing;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
