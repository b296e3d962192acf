/* MPI called from a thread that the simulation knows nothing of; test_errors.py knows what that has to say. */
#include <dlfcn.h>
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
  int (*create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  int (*join)(pthread_t, void**);
  void* const libc = dlopen("libc.so.6", RTLD_LAZY);
  *(void**)&create = dlsym(libc, "pthread_create");
  *(void**)&join = dlsym(libc, "pthread_join");
  create(&thread, NULL, other, NULL);
  join(thread, NULL);
  MPI_Finalize();
  return 0;
}
