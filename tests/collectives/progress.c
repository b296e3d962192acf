/* How long a nonblocking collective still takes after its ranks have computed for long, with or without calls of MPI's
 * between. Prints a line "HOW SECONDS" for each way of spending that time, and what it takes without any.
 *
 *   progress bcast|allreduce|alltoall */
#include <hindcast.h>
#include <string.h>

#include "check.h"

enum { parts = 200, length = 32, ranks = 8 };

static const char* const ways[] = {"nothing", "silent", "local", "probing", "testing", "messages", "barriers"};
static int data[length * ranks], result[length * ranks];
static MPI_Comm other;

static void begin(const char* operation, MPI_Request* request) {
  if (strcmp(operation, "bcast") == 0) MPI_Ibcast(data, length, MPI_INT, 0, MPI_COMM_WORLD, request);
  if (strcmp(operation, "allreduce") == 0)
    MPI_Iallreduce(data, result, length, MPI_INT, MPI_SUM, MPI_COMM_WORLD, request);
  if (strcmp(operation, "alltoall") == 0)
    MPI_Ialltoall(data, length, MPI_INT, result, length, MPI_INT, MPI_COMM_WORLD, request);
}

/* A call between two parts of the computation. */
static void call(const char* way, MPI_Request* request) {
  const int rank = world_rank(), partner = rank ^ 1;
  int flag, token = rank;
  if (strcmp(way, "local") == 0) MPI_Wtime();
  if (strcmp(way, "probing") == 0) MPI_Iprobe(MPI_ANY_SOURCE, 5, other, &flag, MPI_STATUS_IGNORE);
  if (strcmp(way, "testing") == 0) MPI_Test(request, &flag, MPI_STATUS_IGNORE);
  if (strcmp(way, "messages") == 0)
    MPI_Sendrecv_replace(&token, 1, MPI_INT, partner, 1, partner, 1, other, MPI_STATUS_IGNORE);
  if (strcmp(way, "barriers") == 0) MPI_Barrier(other);
}

static double left_after(const char* operation, const char* way) {
  MPI_Request request;
  double computed, left, most;
  MPI_Barrier(MPI_COMM_WORLD);
  begin(operation, &request);
  for (int i = 0; i < parts && strcmp(way, "nothing") != 0; ++i) {
    hindcast_compute_seconds(1e-4);
    call(way, &request);
  }
  computed = MPI_Wtime();
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  left = MPI_Wtime() - computed;
  MPI_Reduce(&left, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  return most;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  CHECK_INT(world_size(), ranks);
  CHECK_INT(argc, 2);
  for (int i = 0; i < (int)(sizeof ways / sizeof ways[0]); ++i) {
    const double left = left_after(argv[1], ways[i]);
    if (world_rank() == 0) printf("%s %.9f\n", ways[i], left);
  }
  MPI_Comm_free(&other);
  MPI_Finalize();
  return 0;
}
