/* ranks: 1 2 3 6 9
 * Many nonblocking collectives outstanding, on one communicator and on several, begun on these in another order by
 * every rank, completed by all that completes several, with wildcard receives and blocking collectives beside them. */
#include "check.h"

#include <hindcast.h>
#include <string.h>

enum { most = 9, many = 30, length = 40 };

static int n, rank;

/* Operation i of a row: some sum, broadcast, gather or barrier, with what it gives. */
struct Row {
  int out[many][length], in[many][most * length];
  MPI_Request requests[many];
};
static int tag_of(int i) { return 50 + i; }
static int length_of(int i) { return i % 5 == 4 ? length : i % 5; }

static void begin(struct Row* row, int i, int me, int size, MPI_Comm comm) {
  const int m = length_of(i), root = i % size;
  int* out = row->out[i];
  fill(out, m, me, tag_of(i));
  memset(row->in[i], 0xff, sizeof row->in[i]);
  switch (i % 6) {
    case 0:
      MPI_Iallreduce(out, row->in[i], m, MPI_INT, MPI_MAX, comm, &row->requests[i]);
      break;
    case 1:
      MPI_Ibcast(out, m, MPI_INT, root, comm, &row->requests[i]);
      break;
    case 2:
      MPI_Iallgather(out, m, MPI_INT, row->in[i], m, MPI_INT, comm, &row->requests[i]);
      break;
    case 3:
      MPI_Ireduce(out, row->in[i], m, MPI_INT, MPI_MIN, root, comm, &row->requests[i]);
      break;
    case 4:
      MPI_Ibarrier(comm, &row->requests[i]);
      break;
    default:
      MPI_Iscan(out, row->in[i], m, MPI_INT, MPI_MAX, comm, &row->requests[i]);
  }
}

static void check(const struct Row* row, int i, int me, int size) {
  const int m = length_of(i), root = i % size, tag = tag_of(i);
  if (i % 6 == 0) check_elements(row->in[i], m, size - 1, tag);
  if (i % 6 == 1) check_elements(row->out[i], m, root, tag);
  for (int r = 0; i % 6 == 2 && r < size; ++r) check_elements(row->in[i] + r * m, m, r, tag);
  if (i % 6 == 3 && me == root) check_elements(row->in[i], m, 0, tag);
  if (i % 6 == 5) check_elements(row->in[i], m, me, tag);
}

/* In several ways, each rank beginning with another. Nothing is left behind that looks active. */
static void complete(MPI_Request* requests, int count, int how) {
  int flag = 0, left = count, index, done, indices[3 * many];
  MPI_Status statuses[3 * many];
  switch (how % 5) {
    case 0:
      for (int i = count - 1; i >= 0; --i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
      break;
    case 1:
      for (; left > 0; --left) {
        MPI_Waitany(count, requests, &index, MPI_STATUS_IGNORE);
        CHECK(index >= 0 && index < count && requests[index] == MPI_REQUEST_NULL);
      }
      break;
    case 2:
      while (left > 0) {
        MPI_Waitsome(count, requests, &done, indices, statuses);
        CHECK(done > 0);
        left -= done;
      }
      break;
    case 3:
      while (!flag) { /* until it says yes, none is gone */
        MPI_Testall(count, requests, &flag, statuses);
        for (int i = 0; i < count; ++i) CHECK((requests[i] == MPI_REQUEST_NULL) == flag);
      }
      break;
    default:
      MPI_Waitall(count, requests, statuses);
  }
  MPI_Waitsome(count, requests, &done, indices, statuses);
  CHECK_INT(done, MPI_UNDEFINED);
  MPI_Testany(count, requests, &index, &flag, MPI_STATUS_IGNORE);
  CHECK(flag && index == MPI_UNDEFINED);
}

static void on_one_communicator(int how) {
  static struct Row row;
  int sum = -1;
  for (int i = 0; i < many; ++i) {
    begin(&row, i, rank, n, MPI_COMM_WORLD);
    if (i % 7 == rank % 7) hindcast_compute_seconds(4e-6 * (rank + 1));
    if (i == many / 2) { /* one that waits, between two that do not */
      MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      CHECK_INT(sum, n * (n - 1) / 2);
    }
  }
  complete(row.requests, many, rank + how);
  for (int i = 0; i < many; ++i) check(&row, i, rank, n);
}

/* The world again, the world in reverse, and its even or odd ranks: begun in the order of these, or another. */
static void on_several_communicators(int how) {
  static struct Row rows[3];
  MPI_Comm comms[3];
  int ranks[3], sizes[3];
  MPI_Request all[3 * many];
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[1]);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comms[2]);
  for (int c = 0; c < 3; ++c) {
    MPI_Comm_rank(comms[c], &ranks[c]);
    MPI_Comm_size(comms[c], &sizes[c]);
  }
  for (int turn = 0; turn < 3; ++turn) {
    const int c = (rank + turn) % 3;
    for (int i = 0; i < many; ++i) begin(&rows[c], i, ranks[c], sizes[c], comms[c]);
  }
  for (int i = 0; i < many; ++i)
    for (int c = 0; c < 3; ++c) all[3 * i + c] = rows[c].requests[i];
  for (int c = 0; c < 3; ++c) MPI_Comm_free(&comms[c]);
  complete(all, 3 * many, 2 * rank + how);
  for (int c = 0; c < 3; ++c)
    for (int i = 0; i < many; ++i) check(&rows[c], i, ranks[c], sizes[c]);
}

/* Receives from anybody, under any tag, of what messages there are: those of collectives are not among them. */
static void beside_wildcards(void) {
  static struct Row row;
  const int next = (rank + 1) % n, previous = (rank + n - 1) % n;
  int tokens[3] = {-1, -1, -1}, flag, mine[3] = {rank * 3, rank * 3 + 1, rank * 3 + 2};
  MPI_Request requests[many + 6];
  MPI_Status status;
  for (int i = 0; i < 3; ++i)
    MPI_Irecv(&tokens[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[many + i]);
  for (int i = 0; i < many; ++i) {
    begin(&row, i, rank, n, MPI_COMM_WORLD);
    requests[i] = row.requests[i];
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
  CHECK_INT(flag, 0);
  for (int i = 0; i < 3; ++i) {
    MPI_Test(&requests[many + i], &flag, &status);
    CHECK_INT(flag, 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 3; ++i) MPI_Issend(&mine[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &requests[many + 3 + i]);
  complete(requests, many + 6, rank);
  MPI_Barrier(MPI_COMM_WORLD); /* or what others send next could be taken here */
  for (int i = 0; i < 3; ++i) CHECK_INT(tokens[i], previous * 3 + i);
  for (int i = 0; i < many; ++i) check(&row, i, rank, n);
}

/* Nobody knows how many will send: all is over when a barrier is that everybody begins once its sends have been
 * received. */
static void exchange_of_unknown_extent(void) {
  int value[most], received = 0, arrived, sent = 0, flag, over = 0, is_in_barrier = 0, expected = 0;
  MPI_Request requests[most], barrier = MPI_REQUEST_NULL;
  MPI_Status status;
  for (int to = 0; to < n; ++to) {
    expected += (to * 7 + rank) % 3 == 0;
    if ((rank * 7 + to) % 3 != 0) continue;
    value[to] = element(rank, to, 0);
    MPI_Issend(&value[to], 1, MPI_INT, to, 3, MPI_COMM_WORLD, &requests[sent++]);
  }
  while (!over) {
    MPI_Iprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &arrived, &status);
    if (arrived) {
      int got;
      MPI_Recv(&got, 1, MPI_INT, status.MPI_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK_INT(got, element(status.MPI_SOURCE, rank, 0));
      ++received;
    }
    if (is_in_barrier) {
      MPI_Test(&barrier, &over, MPI_STATUS_IGNORE);
    } else {
      MPI_Testall(sent, requests, &flag, MPI_STATUSES_IGNORE);
      if (flag) MPI_Ibarrier(MPI_COMM_WORLD, &barrier), is_in_barrier = 1;
    }
  }
  CHECK_INT(received, expected);
}

/* A barrier that one rank has not begun is over for nobody. */
static void late_barrier(void) {
  for (int late = 0; late < n; ++late) {
    MPI_Request request;
    double begun = 0;
    int flag = 0;
    if (rank == late) {
      hindcast_compute_seconds(1e-3);
      begun = MPI_Wtime();
    }
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    const double over = MPI_Wtime();
    MPI_Bcast(&begun, 1, MPI_DOUBLE, late, MPI_COMM_WORLD);
    CHECK(over >= begun);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  n = world_size();
  rank = world_rank();
  for (int how = 0; how < 5; ++how) {
    on_one_communicator(how);
    on_several_communicators(how);
  }
  beside_wildcards();
  exchange_of_unknown_extent();
  late_barrier();
  return finish();
}
