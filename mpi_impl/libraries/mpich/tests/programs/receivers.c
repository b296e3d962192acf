/* Several threads of rank 0 receive on one communicator and tag, and other threads of all ranks use a communicator of
 * their own meanwhile: each message comes to exactly one thread. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { RECEIVERS = 3, EACH = 20, TAG = 4, LAST = -1 };

static int taken[1000];
static int by_thread[RECEIVERS];
static MPI_Comm beside;
static int rank, size;

static void* receive(void* number) {
  for (;;) {
    int value;
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (value == LAST) return NULL;
    ++taken[value];
    ++by_thread[(long)number];
  }
}

static void* sum_up(void* right) {
  for (int i = 0; i < 10; ++i) {
    int mine = rank + i, sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, beside);
    *(int*)right = *(int*)right && sum == size * (size - 1) / 2 + i * size;
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided, right = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided != MPI_THREAD_MULTIPLE) return 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &beside);
  pthread_t other, receivers[RECEIVERS];
  pthread_create(&other, NULL, sum_up, &right);
  if (rank == 0) {
    for (long i = 0; i < RECEIVERS; ++i) pthread_create(&receivers[i], NULL, receive, (void*)i);
    for (int i = 0; i < RECEIVERS; ++i) pthread_join(receivers[i], NULL);
    int all = 0;
    for (int i = 0; i < 1000; ++i) right = right && taken[i] == (i < (size - 1) * EACH);
    for (int i = 0; i < RECEIVERS; ++i) all += by_thread[i];
    right = right && all == (size - 1) * EACH;
  } else {
    for (int i = 0; i < EACH; ++i) {
      const int value = (rank - 1) * EACH + i;
      MPI_Ssend(&value, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
    }
    const int last = LAST;
    int token = 0;
    if (rank > 1) MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank < size - 1) MPI_Send(&token, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    /* The token has been round: all messages have been received. */
    if (rank == size - 1)
      for (int i = 0; i < RECEIVERS; ++i) MPI_Send(&last, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
  }
  pthread_join(other, NULL);
  int all_right = 0;
  MPI_Reduce(&right, &all_right, 1, MPI_INT, MPI_LAND, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%s\n", all_right ? "right" : "wrong");
  MPI_Finalize();
  return 0;
}
