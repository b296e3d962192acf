/* ranks: 7
 * Of several collectives in progress MPI_Waitany tells of the one that ended first: the same one, however far the rank
 * has run ahead. Prints the order of all. */
#include "check.h"

enum { communicators = 3, many = 8, rounds = 30, most = 40 };

static int given[many][7 * most], got[many][7 * most];
static unsigned state = 1;

static int up_to(int limit) {
  state = state * 1103515245u + 12345u;
  return (int)((state >> 16) % (unsigned)limit);
}

static void begin(int i, int kind, int count, int root, MPI_Comm comm, MPI_Request* request) {
  if (kind == 0) MPI_Ibcast(got[i], count, MPI_INT, root, comm, request);
  if (kind == 1) MPI_Iallreduce(given[i], got[i], count, MPI_INT, MPI_SUM, comm, request);
  if (kind == 2) MPI_Ialltoall(given[i], count, MPI_INT, got[i], count, MPI_INT, comm, request);
  if (kind == 3) MPI_Igather(given[i], count, MPI_INT, got[i], count, MPI_INT, root, comm, request);
  if (kind == 4) MPI_Iscatter(given[i], count, MPI_INT, got[i], count, MPI_INT, root, comm, request);
}

int main(int argc, char** argv) {
  MPI_Comm comms[communicators];
  MPI_Request requests[many];
  long order = 0, orders[7];
  MPI_Init(&argc, &argv);
  for (int c = 0; c < communicators; ++c) MPI_Comm_dup(MPI_COMM_WORLD, &comms[c]);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < many; ++i) {
      const int kind = up_to(5), count = 1 + up_to(most), root = up_to(world_size()), c = up_to(communicators);
      begin(i, kind, count, root, comms[c], &requests[i]);
    }
    for (int i = 0; i < many; ++i) {
      int index;
      MPI_Waitany(many, requests, &index, MPI_STATUS_IGNORE);
      CHECK(index >= 0 && index < many);
      order = (order * 31 + index) % 1000003;
    }
  }
  MPI_Gather(&order, 1, MPI_LONG, orders, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  for (int r = 0; world_rank() == 0 && r < world_size(); ++r) printf("rank %d: %ld\n", r, orders[r]);
  for (int c = 0; c < communicators; ++c) MPI_Comm_free(&comms[c]);
  return finish();
}
