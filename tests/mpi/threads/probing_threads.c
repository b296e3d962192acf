/* ranks: 2
 * Threads that look for messages in a loop, all of them at once: each gets its own, however long others are looking. */
#define _XOPEN_SOURCE 700
#include <pthread.h>

#include "check.h"

enum { threads = 4, rounds = 300 };

static void* sends(void* number) {
  for (int round = 0; round < rounds; ++round) {
    const int value = round * threads + (int)(long)number;
    MPI_Send(&value, 1, MPI_INT, 1, (int)(long)number, MPI_COMM_WORLD);
  }
  return NULL;
}

static void* looks(void* number) {
  for (int round = 0; round < rounds; ++round) {
    int flag = 0, value = -1, count = 0;
    MPI_Message message;
    MPI_Status status;
    while (!flag) MPI_Improbe(0, (int)(long)number, MPI_COMM_WORLD, &flag, &message, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK_INT(count, 1);
    MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    CHECK_INT(value, round * threads + (int)(long)number);
    CHECK(message == MPI_MESSAGE_NULL);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int level;
  pthread_t made[threads];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  CHECK_INT(level, MPI_THREAD_MULTIPLE);
  for (long i = 0; i < threads; ++i)
    CHECK_INT(pthread_create(&made[i], NULL, world_rank() == 0 ? sends : looks, (void*)i), 0);
  for (int i = 0; i < threads; ++i) CHECK_INT(pthread_join(made[i], NULL), 0);
  return finish();
}
