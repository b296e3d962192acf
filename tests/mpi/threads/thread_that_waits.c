/* While a thread waits for a message, a collective goes on that another thread of the rank has begun meanwhile, and
 * does not wait for. Programs keep such a thread for that. ranks: 4 7 */
#define _XOPEN_SOURCE 700
#include <pthread.h>
#include <time.h>

#include "check.h"

enum { several = 20 };

static int rank, size;
static MPI_Comm others;

static void pass_seconds(long seconds, long ns) {
  const struct timespec time = {seconds, ns};
  CHECK_INT(nanosleep(&time, NULL), 0);
}

static void* begins_and_computes(void* unused) {
  int ones[several], sums[several], flag = 0;
  MPI_Request requests[several];
  pass_seconds(0, 100000); /* the other thread waits by now */
  for (int i = 0; i < several; ++i) {
    ones[i] = 1 + i;
    MPI_Iallreduce(&ones[i], &sums[i], 1, MPI_INT, MPI_SUM, others, &requests[i]);
  }
  pass_seconds(10, 0);
  MPI_Testall(several, requests, &flag, MPI_STATUSES_IGNORE);
  CHECK(flag);
  if (!flag) MPI_Waitall(several, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < several; ++i) CHECK_INT(sums[i], size * (1 + i));
  MPI_Send(NULL, 0, MPI_INT, rank, 0, MPI_COMM_WORLD);
  return unused;
}

int main(int argc, char** argv) {
  int level;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  CHECK_INT(level, MPI_THREAD_MULTIPLE);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &others);
  CHECK_INT(pthread_create(&thread, NULL, begins_and_computes, NULL), 0);
  MPI_Recv(NULL, 0, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK_INT(pthread_join(thread, NULL), 0);
  MPI_Comm_free(&others);
  return finish();
}
