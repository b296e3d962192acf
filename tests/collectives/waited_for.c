/* Nonblocking collectives whose rounds end while their ranks wait for them: at once, after some tests, or with messages
 * of other kinds besides. Prints a line "RANK NUMBER SECONDS" when each is over.   waited_for SEED LONGEST */
#include <hindcast.h>

#include "check.h"

enum { collectives = 16, ways_to_wait = 3, ranks_max = 16, words = 64, block_max = 5000 };
enum { barrier, bcast, gather, scatter, reduce, allgather, alltoall, allreduce, scan, exscan, blocks, operations };

static int in[block_max * ranks_max], out[block_max * ranks_max], beside[2][words];
static int rank, size;

static unsigned draw(unsigned* state, unsigned below) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) % below;
}

static void begin(int operation, int count, int root, MPI_Request* request) {
  const MPI_Comm world = MPI_COMM_WORLD;
  switch (operation) {
    case barrier:
      MPI_Ibarrier(world, request);
      break;
    case bcast:
      MPI_Ibcast(in, count, MPI_INT, root, world, request);
      break;
    case gather:
      MPI_Igather(out, count, MPI_INT, in, count, MPI_INT, root, world, request);
      break;
    case scatter:
      MPI_Iscatter(out, count, MPI_INT, in, count, MPI_INT, root, world, request);
      break;
    case reduce:
      MPI_Ireduce(out, in, count, MPI_INT, MPI_MAX, root, world, request);
      break;
    case allgather:
      MPI_Iallgather(out, count, MPI_INT, in, count, MPI_INT, world, request);
      break;
    case alltoall:
      MPI_Ialltoall(out, count, MPI_INT, in, count, MPI_INT, world, request);
      break;
    case allreduce:
      MPI_Iallreduce(out, in, count, MPI_INT, MPI_SUM, world, request);
      break;
    case scan:
      MPI_Iscan(out, in, count, MPI_INT, MPI_SUM, world, request);
      break;
    case exscan:
      MPI_Iexscan(out, in, count, MPI_INT, MPI_SUM, world, request);
      break;
    default:
      MPI_Ireduce_scatter_block(out, in, count, MPI_INT, MPI_SUM, world, request);
  }
}

/* The first request is the collective's; `way` says how it is waited for. */
static void wait_for_all(int way, MPI_Request requests[3], unsigned* state) {
  int flag = 0;
  if (way == 1)
    for (unsigned tests = draw(state, 4); tests > 0 && !flag; --tests) MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
  if (way < 2) MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int longest = atoi(argv[2]);
  unsigned of_all = (unsigned)atoi(argv[1]), own = of_all * 77 + (unsigned)rank;
  for (int i = 0; i < block_max * size; ++i) out[i] = rank + i;
  for (int number = 0; number < collectives; ++number) {
    MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    const int count = (int)draw(&of_all, (unsigned)longest) + 1, way = (int)draw(&of_all, ways_to_wait);
    const int operation = (int)draw(&of_all, operations), root = (int)draw(&of_all, (unsigned)size);
    hindcast_compute_seconds(draw(&own, 30) * 1e-6);
    begin(operation, count, root, &requests[0]);
    if (draw(&of_all, 2)) {
      MPI_Irecv(beside[0], words, MPI_INT, (rank + size - 1) % size, number, MPI_COMM_WORLD, &requests[1]);
      MPI_Isend(beside[1], words, MPI_INT, (rank + 1) % size, number, MPI_COMM_WORLD, &requests[2]);
    }
    hindcast_compute_seconds(draw(&own, 30) * 1e-6);
    wait_for_all(way, requests, &own);
    printf("%d %d %.12f\n", rank, number, MPI_Wtime());
    if (operation == allreduce) CHECK(in[count - 1] == size * (size - 1) / 2 + size * (count - 1));
    if (operation == allgather) CHECK(in[count * size - 1] == size - 1 + count - 1);
  }
  MPI_Finalize();
  return 0;
}
