/* ranks: 2 4
 * What one thread begins and another ends: requests completed, started, cancelled and freed for others, messages that
 * another thread has probed, error handlers on the thread that called, collectives of every sort on a communicator
 * each, nonblocking and persistent ones too. */
#define _XOPEN_SOURCE 700
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "check.h"

enum { threads = 4, rounds = 5, length = 500 };

static int rank, size, right, left;
static MPI_Comm comms[threads];
static MPI_Request handed[threads][2];
static int data[threads][2][length];
static pthread_barrier_t all_here;

static void at_once(void* (*function)(void*)) {
  pthread_t made[threads];
  for (long i = 0; i < threads; ++i) CHECK_INT(pthread_create(&made[i], NULL, function, (void*)i), 0);
  for (int i = 0; i < threads; ++i) CHECK_INT(pthread_join(made[i], NULL), 0);
}

/* Each begins a receive and a send, and completes the next thread's. */
static void* completes_for_others(void* number) {
  const int own = (int)(long)number, other = (own + 1) % threads;
  for (int round = 0; round < rounds; ++round) {
    fill(data[own][0], length, rank, 10 * own + round);
    MPI_Irecv(data[own][1], length, MPI_INT, left, own, MPI_COMM_WORLD, &handed[own][0]);
    MPI_Isend(data[own][0], length, MPI_INT, right, own, MPI_COMM_WORLD, &handed[own][1]);
    pthread_barrier_wait(&all_here);
    if (round % 2 == 0) {
      MPI_Waitall(2, handed[other], MPI_STATUSES_IGNORE);
    } else {
      int flag = 0;
      while (!flag) MPI_Testall(2, handed[other], &flag, MPI_STATUSES_IGNORE);
    }
    check_elements(data[other][1], length, left, 10 * other + round);
    pthread_barrier_wait(&all_here);
  }
  /* A receive that nobody sends to is cancelled by another thread. */
  int flag;
  MPI_Status status;
  MPI_Irecv(data[own][1], 1, MPI_INT, left, 99, MPI_COMM_WORLD, &handed[own][0]);
  pthread_barrier_wait(&all_here);
  MPI_Cancel(&handed[other][0]);
  MPI_Wait(&handed[other][0], &status);
  MPI_Test_cancelled(&status, &flag);
  CHECK(flag);
  pthread_barrier_wait(&all_here);
  return NULL;
}

static void* starts_for_others(void* number) {
  const int own = (int)(long)number, other = (own + 1) % threads;
  int sum = 0, mine = rank + own;
  static int sums[threads], values[threads];
  MPI_Send_init(data[own][0], length, MPI_INT, right, own, MPI_COMM_WORLD, &handed[own][0]);
  MPI_Recv_init(data[own][1], length, MPI_INT, left, own, MPI_COMM_WORLD, &handed[own][1]);
  pthread_barrier_wait(&all_here);
  for (int round = 0; round < rounds; ++round) {
    fill(data[other][0], length, rank, 10 * other + round);
    MPI_Startall(2, handed[other]);
    pthread_barrier_wait(&all_here);
    MPI_Waitall(2, handed[own], MPI_STATUSES_IGNORE);
    check_elements(data[own][1], length, left, 10 * own + round);
    pthread_barrier_wait(&all_here);
  }
  for (int i = 0; i < 2; ++i) MPI_Request_free(&handed[other][i]);
  pthread_barrier_wait(&all_here);
  /* The same with a collective. */
  MPI_Allreduce_init(&values[own], &sums[own], 1, MPI_INT, MPI_SUM, comms[own], MPI_INFO_NULL, &handed[own][0]);
  for (int round = 0; round < rounds; ++round) {
    values[own] = mine + round;
    pthread_barrier_wait(&all_here);
    MPI_Start(&handed[other][0]);
    pthread_barrier_wait(&all_here);
    MPI_Wait(&handed[own][0], MPI_STATUS_IGNORE);
    sum = size * (own + round) + size * (size - 1) / 2;
    CHECK_INT(sums[own], sum);
  }
  pthread_barrier_wait(&all_here);
  MPI_Request_free(&handed[own][0]);
  return NULL;
}

static void* collectives(void* number) {
  const int own = (int)(long)number;
  const MPI_Comm comm = comms[own];
  MPI_Request request[3];
  for (int round = 0; round < rounds; ++round) {
    int all[64], each[64], got[64], scan = -1, one = 1, told = rank == round % size ? own : -1;
    for (int i = 0; i < size; ++i) each[i] = element(rank, own, i);
    MPI_Iallgather(&each[0], 1, MPI_INT, all, 1, MPI_INT, comm, &request[0]);
    MPI_Ibcast(&told, 1, MPI_INT, round % size, comm, &request[1]);
    MPI_Ibarrier(comm, &request[2]);
    MPI_Alltoall(each, 1, MPI_INT, got, 1, MPI_INT, comm);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    MPI_Scan(&one, &scan, 1, MPI_INT, MPI_SUM, comm);
    CHECK_INT(scan, rank + 1);
    CHECK_INT(told, own);
    for (int i = 0; i < size; ++i) CHECK_INT(all[i], element(i, own, 0));
    for (int i = 0; i < size; ++i) CHECK_INT(got[i], element(i, own, rank));
    MPI_Comm copy, part;
    MPI_Comm_idup(comm, &copy, &request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Comm_split(copy, rank % 2, rank, &part);
    MPI_Reduce_scatter_block(each, &one, 1, MPI_INT, MPI_MAX, copy);
    CHECK_INT(one, element(size - 1, own, rank));
    MPI_Barrier(part);
    MPI_Comm_free(&part);
    MPI_Comm_free(&copy);
  }
  return NULL;
}

/* What a matched probe has taken on one thread another receives. */
static MPI_Message taken[threads];
static MPI_Status of_taken[threads];
static void* receives_for_others(void* number) {
  const int own = (int)(long)number, other = (own + 1) % threads;
  for (int round = 0; round < rounds; ++round) {
    const int count = own + 1 + round;
    fill(data[own][0], count, rank, own);
    MPI_Request request;
    MPI_Isend(data[own][0], count, MPI_INT, right, 200 + own, MPI_COMM_WORLD, &request);
    if (round % 2 == 0) {
      MPI_Mprobe(left, 200 + own, MPI_COMM_WORLD, &taken[own], &of_taken[own]);
    } else {
      int flag = 0;
      while (!flag) MPI_Improbe(MPI_ANY_SOURCE, 200 + own, MPI_COMM_WORLD, &flag, &taken[own], &of_taken[own]);
    }
    pthread_barrier_wait(&all_here);
    check_status(&of_taken[other], left, 200 + other, other + 1 + round);
    MPI_Mrecv(data[other][1], other + 1 + round, MPI_INT, &taken[other], MPI_STATUS_IGNORE);
    check_elements(data[other][1], other + 1 + round, left, other);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    pthread_barrier_wait(&all_here);
  }
  return NULL;
}

static pthread_t handled_on[threads];
static void note(MPI_Comm* comm, int* code, ...) {
  for (int i = 0; i < threads; ++i)
    if (comms[i] == *comm) handled_on[i] = pthread_self();
  CHECK_INT(class_of(*code), MPI_ERR_RANK);
}

static void* fails(void* number) {
  const int own = (int)(long)number;
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(note, &handler);
  MPI_Comm_set_errhandler(comms[own], handler);
  MPI_Errhandler_free(&handler);
  pthread_barrier_wait(&all_here);
  for (int round = 0; round < rounds; ++round) {
    handled_on[own] = (pthread_t)0;
    FAILS(MPI_Send(&own, 1, MPI_INT, size, 0, comms[own]), MPI_ERR_RANK);
    CHECK(pthread_equal(handled_on[own], pthread_self()));
    MPI_Barrier(comms[own]);
  }
  return NULL;
}

/* Two may not wait for one request: the second is told so, and the first has it. */
static double waiting_since;
static void* waits_for_the_same(void* number) {
  static MPI_Request request;
  static int value;
  const int own = (int)(long)number, sent = 31;
  if (own == 0) {
    MPI_Irecv(&value, 1, MPI_INT, left, 300, MPI_COMM_WORLD, &request);
    handed[0][0] = handed[1][0] = request;
  }
  pthread_barrier_wait(&all_here);
  if (own == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
  while (own == 1 && MPI_Wtime() < waiting_since + 1e-3) sched_yield();
  if (own == 1) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int index;
    FAILS(MPI_Wait(&handed[0][0], MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
    FAILS(MPI_Waitall(2, handed[0], MPI_STATUSES_IGNORE), MPI_ERR_REQUEST);
    FAILS(MPI_Waitany(1, handed[1], &index, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Barrier(comms[1]);
    MPI_Send(&sent, 1, MPI_INT, right, 300, MPI_COMM_WORLD);
  }
  pthread_barrier_wait(&all_here);
  CHECK_INT(value, sent);
  return NULL;
}

/* Who comes first on one rank meets who comes first on the others. */
static void* meets_at_once(void* number) {
  (void)number;
  for (int round = 0; round < rounds; ++round) {
    int one = 1, sum = -1;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comms[0]);
    CHECK_INT(sum, size);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  CHECK_INT(provided, MPI_THREAD_MULTIPLE);
  rank = world_rank();
  size = world_size();
  right = (rank + 1) % size;
  left = (rank + size - 1) % size;
  pthread_barrier_init(&all_here, NULL, threads);
  for (int i = 0; i < threads; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  at_once(completes_for_others);
  at_once(starts_for_others);
  at_once(collectives);
  at_once(receives_for_others);
  at_once(fails);
  for (int i = 0; i < 2; ++i) handed[0][i] = handed[1][i] = MPI_REQUEST_NULL;
  waiting_since = MPI_Wtime();
  at_once(waits_for_the_same);
  at_once(meets_at_once);
  for (int i = 0; i < threads; ++i) MPI_Comm_free(&comms[i]);
  pthread_barrier_destroy(&all_here);
  return finish();
}
