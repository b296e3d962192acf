/* ranks: 2
 * Threads that look for messages in a loop, all of them at once: each gets its own, however long others are looking.
 * Threads that wait for one message: it stays where it is, so that each of them finds it, and one can receive it. */
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

enum { common_tag = threads, shared_tag };

static void* waits_for_the_same(void* unused) {
  MPI_Status status;
  int count;
  MPI_Probe(0, common_tag, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK_INT(count, 3);
  return unused;
}

/* Two of them wait for messages of which there are as many as threads, in two kinds of probe. */
static void* takes_one(void* number) {
  MPI_Message message;
  int value = 0;
  if ((long)number % 2 == 0) MPI_Probe(0, shared_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Mprobe(0, shared_tag, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  CHECK_INT(value, 7);
  return NULL;
}

static void run_threads(void* (*body)(void*)) {
  pthread_t made[threads];
  for (long i = 0; i < threads; ++i) CHECK_INT(pthread_create(&made[i], NULL, body, (void*)i), 0);
  for (int i = 0; i < threads; ++i) CHECK_INT(pthread_join(made[i], NULL), 0);
}

static void share_messages(void) {
  int data[3] = {7, 7, 7};
  if (world_rank() == 0) {
    MPI_Send(data, 3, MPI_INT, 1, common_tag, MPI_COMM_WORLD);
    for (int i = 0; i < threads; ++i) MPI_Send(data, 1, MPI_INT, 1, shared_tag, MPI_COMM_WORLD);
  } else {
    run_threads(waits_for_the_same);
    MPI_Recv(data, 3, MPI_INT, 0, common_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    run_threads(takes_one);
  }
}

int main(int argc, char** argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  CHECK_INT(level, MPI_THREAD_MULTIPLE);
  run_threads(world_rank() == 0 ? sends : looks);
  share_messages();
  return finish();
}
