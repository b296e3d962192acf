/* Several threads of every rank in calls at once: blocking receives by tag, probes for whatever comes, waits for
 * requests of their own, and collectives of a communicator each. ranks: 2 4 */
#define _XOPEN_SOURCE 700
#include <pthread.h>
#include <string.h>

#include "check.h"

enum { pairs = 4, rounds = 6, long_count = 3000 };

static int rank, size;
static MPI_Comm comms[pairs];

static void at_once(void* (*function)(void*), int count) {
  pthread_t threads[2 * pairs];
  for (long i = 0; i < count; ++i) CHECK_INT(pthread_create(&threads[i], NULL, function, (void*)i), 0);
  for (int i = 0; i < count; ++i) CHECK_INT(pthread_join(threads[i], NULL), 0);
}

static int length(int tag, int round) { return (tag + round) % 3 == 0 ? long_count + tag : 1 + tag; }

/* Half of the threads send to the next rank, the others receive from the one before. */
static void* sends_or_receives(void* number) {
  const int own = (int)(long)number, tag = own / 2, is_sender = own % 2 == 0;
  const int peer = (rank + (is_sender ? 1 : size - 1)) % size;
  int data[long_count + 2 * pairs];
  for (int round = 0; round < rounds; ++round) {
    const int count = length(tag, round);
    if (is_sender) {
      fill(data, count, rank, 100 * tag + round);
      if (round % 2 == 0)
        MPI_Send(data, count, MPI_INT, peer, tag, MPI_COMM_WORLD);
      else
        MPI_Ssend(data, count, MPI_INT, peer, tag, MPI_COMM_WORLD);
    } else {
      MPI_Status status;
      MPI_Recv(data, long_count + 2 * pairs, MPI_INT, peer, tag, MPI_COMM_WORLD, &status);
      check_status(&status, peer, tag, count);
      check_elements(data, count, peer, 100 * tag + round);
    }
  }
  return NULL;
}

/* What one thread has found is no other's: of all messages each is received once. */
static int seen[2 * pairs][rounds];
static void* probes(void* number) {
  const int own = (int)(long)number;
  int data[long_count];
  if (own < pairs) {
    for (int round = 0; round < rounds; ++round) {
      fill(data, own + 1, rank, own);
      data[0] = own * rounds + round;
      MPI_Send(data, own + 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD);
    }
    return NULL;
  }
  for (int round = 0; round < rounds; ++round) {
    MPI_Message message;
    MPI_Status status;
    int count;
    MPI_Mprobe((rank + size - 1) % size, 7, MPI_COMM_WORLD, &message, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    MPI_Mrecv(data, count, MPI_INT, &message, &status);
    const int sender = data[0] / rounds;
    CHECK_INT(count, sender + 1);
    CHECK_INT(seen[sender][data[0] % rounds]++, 0);
    for (int i = 1; i < count; ++i) CHECK_INT(data[i], element((rank + size - 1) % size, sender, i));
  }
  return NULL;
}

/* A thread each for a request of its own, and all requests are under way at once. */
static void* waits(void* number) {
  const int own = (int)(long)number;
  int given[2], got[2];
  for (int round = 0; round < rounds; ++round) {
    MPI_Request requests[2];
    MPI_Status statuses[2];
    given[0] = rank * 1000 + own * 10 + round;
    MPI_Irecv(got, 2, MPI_INT, (rank + size - 1) % size, 50 + own, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(given, 1, MPI_INT, (rank + 1) % size, 50 + own, MPI_COMM_WORLD, &requests[1]);
    if (own % 2 == 0) {
      MPI_Waitall(2, requests, statuses);
    } else {
      int index;
      for (int left = 2; left > 0; --left) MPI_Waitany(2, requests, &index, &statuses[0]);
    }
    CHECK_INT(got[0], (rank + size - 1) % size * 1000 + own * 10 + round);
  }
  return NULL;
}

static void* works_together(void* number) {
  const int own = (int)(long)number;
  const MPI_Comm comm = comms[own];
  for (int round = 0; round < rounds; ++round) {
    int sum, mine = (rank + 1) * (own + 1), all[64], root = round % size, told = rank == root ? own * 100 + round : -1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK_INT(sum, (own + 1) * size * (size + 1) / 2);
    MPI_Bcast(&told, 1, MPI_INT, root, comm);
    CHECK_INT(told, own * 100 + round);
    MPI_Barrier(comm);
    MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, comm);
    for (int i = 0; i < size; ++i) CHECK_INT(all[i], (i + 1) * (own + 1));
    double much[600], total[600];
    for (int i = 0; i < 600; ++i) much[i] = rank + i;
    MPI_Reduce(much, total, 600, MPI_DOUBLE, MPI_SUM, root, comm);
    if (rank == root) CHECK(total[599] == size * (size - 1) / 2 + 599.0 * size);
  }
  return NULL;
}

/* One thread waits in a collective while another passes messages. */
static void* of_both_kinds(void* number) {
  int data = rank;
  if ((long)number == 0) {
    for (int round = 0; round < rounds; ++round) MPI_Barrier(comms[0]);
  } else {
    for (int round = 0; round < rounds; ++round)
      MPI_Sendrecv_replace(&data, 1, MPI_INT, (rank + 1) % size, 3, (rank + size - 1) % size, 3, MPI_COMM_WORLD,
                           MPI_STATUS_IGNORE);
    CHECK_INT(data, ((rank - rounds) % size + size) % size);
  }
  return NULL;
}

static void* duplicates(void* number) {
  MPI_Comm copy;
  int sum, one = 1;
  MPI_Comm_dup(comms[(long)number], &copy);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, copy);
  CHECK_INT(sum, size);
  MPI_Comm_free(&copy);
  return NULL;
}

static void* is_not_main(void* unused) {
  int flag, level;
  MPI_Is_thread_main(&flag);
  CHECK(!flag);
  MPI_Query_thread(&level);
  CHECK_INT(level, MPI_THREAD_MULTIPLE);
  return unused;
}

int main(int argc, char** argv) {
  int provided, flag;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  CHECK_INT(provided, MPI_THREAD_MULTIPLE);
  MPI_Is_thread_main(&flag);
  CHECK(flag);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < pairs; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  at_once(is_not_main, 1);
  at_once(sends_or_receives, 2 * pairs);
  at_once(probes, 2 * pairs);
  at_once(waits, pairs);
  at_once(works_together, pairs);
  at_once(of_both_kinds, 2);
  at_once(duplicates, pairs);
  for (int i = 0; i < pairs; ++i) MPI_Comm_free(&comms[i]);
  return finish();
}
