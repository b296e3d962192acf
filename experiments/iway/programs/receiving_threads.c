/* So many threads of rank 1 send, and as many of rank 0 receive on one communicator and tag; 24 messages in all, each
 * with a number. Tells how many numbers have come to exactly one thread. The argument is how many threads. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MESSAGES = 24, TAG = 4 };

static int threads, rank, came[MESSAGES];

static void* work(void* number) {
  for (int message = (int)(long)number; message < MESSAGES; message += threads) {
    int value = message;
    if (rank == 1) MPI_Send(&value, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(&value, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) ++came[value];
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (argc != 2 || provided != MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 2);
  threads = atoi(argv[1]);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pthread_t* others = calloc((size_t)threads, sizeof *others);
  const double start = MPI_Wtime();
  for (long i = 0; i < threads; ++i) pthread_create(&others[i], NULL, work, (void*)i);
  for (int i = 0; i < threads; ++i) pthread_join(others[i], NULL);
  const double took = (MPI_Wtime() - start) * 1e6 / MESSAGES;
  int to_one = 0;
  for (int i = 0; i < MESSAGES; ++i) to_one += came[i] == 1;
  if (rank == 0) printf("threads,time_us,to_one\n%d,%.6f,%d\n", threads, took, to_one);
  free(others);
  MPI_Finalize();
  return 0;
}
