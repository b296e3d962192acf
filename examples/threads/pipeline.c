// A pipeline: blocks of numbers pass through all ranks, and each works on every block. A rank receives, works and sends
// by a thread each, with queues of a few places between them; "alone", by one thread that does it in turn.
//
//   pipeline [alone|threads [WORKERS]]
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hindcast.h"

enum { blocks = 60, numbers = 4096, places = 4, operations = 20 };

typedef struct {
  int index;  // of the block; -1: there are no more
  double data[numbers];
} Block;

typedef struct {
  pthread_mutex_t mutex;
  pthread_cond_t has_room, has_blocks;
  Block* blocks[places];
  int first, count;
} Queue;

static Queue to_work = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, 0};
static Queue to_send = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, 0};
static int rank, size, workers = 1;
static int received[blocks];  // by the last rank: how often each block has come
static double wrong;

static void put(Queue* queue, Block* block) {
  pthread_mutex_lock(&queue->mutex);
  while (queue->count == places) pthread_cond_wait(&queue->has_room, &queue->mutex);
  queue->blocks[(queue->first + queue->count++) % places] = block;
  pthread_cond_signal(&queue->has_blocks);
  pthread_mutex_unlock(&queue->mutex);
}

static Block* take(Queue* queue) {
  pthread_mutex_lock(&queue->mutex);
  while (queue->count == 0) pthread_cond_wait(&queue->has_blocks, &queue->mutex);
  Block* const block = queue->blocks[queue->first];
  queue->first = (queue->first + 1) % places;
  --queue->count;
  pthread_cond_signal(&queue->has_room);
  pthread_mutex_unlock(&queue->mutex);
  return block;
}

static Block* receive(int number) {
  Block* const block = malloc(sizeof *block);
  block->index = number;
  if (rank == 0)
    for (int i = 0; i < numbers; ++i) block->data[i] = number + i;
  else
    MPI_Recv(block, sizeof *block, MPI_BYTE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return block;
}

static void work_on(Block* block) {
  for (int i = 0; i < numbers; ++i) block->data[i] += 1;
  hindcast_compute_flops((double)operations * numbers);
}

static void send(Block* block) {
  if (rank < size - 1) {
    MPI_Send(block, sizeof *block, MPI_BYTE, rank + 1, 0, MPI_COMM_WORLD);
  } else {
    ++received[block->index];
    for (int i = 0; i < numbers; ++i) wrong += block->data[i] != block->index + i + size;
  }
  free(block);
}

static void* receives(void* unused) {
  for (int i = 0; i < blocks; ++i) put(&to_work, receive(i));
  for (int i = 0; i < workers; ++i) {
    Block* const last = malloc(sizeof *last);
    last->index = -1;
    put(&to_work, last);
  }
  return unused;
}

static void* works(void* unused) {
  for (;;) {
    Block* const block = take(&to_work);
    if (block->index >= 0) work_on(block);
    const int is_last = block->index < 0;
    put(&to_send, block);
    if (is_last) return unused;
  }
}

static void* sends(void* unused) {
  for (int left = workers; left > 0;) {
    Block* const block = take(&to_send);
    if (block->index >= 0) {
      send(block);
    } else {
      --left;
      free(block);
    }
  }
  return unused;
}

static void by_threads(void) {
  pthread_t receiver, sender, working[16];
  pthread_create(&receiver, NULL, receives, NULL);
  for (int i = 0; i < workers; ++i) pthread_create(&working[i], NULL, works, NULL);
  pthread_create(&sender, NULL, sends, NULL);
  pthread_join(receiver, NULL);
  for (int i = 0; i < workers; ++i) pthread_join(working[i], NULL);
  pthread_join(sender, NULL);
}

static void by_one(void) {
  for (int i = 0; i < blocks; ++i) {
    Block* const block = receive(i);
    work_on(block);
    send(block);
  }
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int alone = argc > 1 && strcmp(argv[1], "alone") == 0;
  if (argc > 2) workers = atoi(argv[2]);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  if (alone)
    by_one();
  else
    by_threads();
  if (rank == size - 1) {
    for (int i = 0; i < blocks; ++i) wrong += received[i] != 1;
    printf("%d blocks through %d ranks, %s: %s, after %.0f us\n", blocks, size, alone ? "one thread" : "threads",
           wrong == 0 ? "right" : "WRONG", (MPI_Wtime() - start) * 1e6);
  }
  MPI_Finalize();
  return wrong != 0;
}
