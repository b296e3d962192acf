/* Functions within functions, whose addresses are passed on: the compiler has the stack run code, on the main thread
 * and on another. Prints the sum over ranks of what MPI and a thread made of them. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static int apply(int (*function)(int), int value) { return function(value); }

static void* in_thread(void* argument) {
  int added = *(int*)argument;
  int add(int value) { return value + added; }
  *(int*)argument = apply(add, 100);
  return NULL;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, uses = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  void largest(void* in, void* inout, int* length, MPI_Datatype* type) {
    (void)type;
    ++uses;
    for (int i = 0; i < *length; ++i)
      if (((int*)in)[i] > ((int*)inout)[i]) ((int*)inout)[i] = ((int*)in)[i];
  }
  MPI_Op op;
  MPI_Op_create(largest, 1, &op);
  int mine = rank * 10, most = 0, used = 0;
  MPI_Allreduce(&mine, &most, 1, MPI_INT, op, MPI_COMM_WORLD);
  MPI_Allreduce(&uses, &used, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Op_free(&op);

  pthread_t thread;
  int value = rank;
  pthread_create(&thread, NULL, in_thread, &value);
  pthread_join(thread, NULL);
  int sum = 0;
  MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("largest %d, used %s, sum %d\n", most, used > 0 ? "yes" : "no", sum);
  MPI_Finalize();
  return 0;
}
