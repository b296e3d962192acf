/* What becomes of messages that meet at a node, in us:
 *   exchange BYTES    two nodes send to each other at once: until each has what the other sent
 *   full BYTES COUNT  rank 0 sends so many messages, of which rank 1 receives none for a second: what each send takes
 *   two BYTES         ranks 1 and 2 send to rank 0 at once: until it has both */
#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT_MAX = 100, BYTES_MAX = 1 << 22 };
static char out[BYTES_MAX], in[2][BYTES_MAX];
static int rank;

static void begin_together(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  double instant = MPI_Wtime() + 1;
  MPI_Bcast(&instant, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  hindcast_compute_seconds(instant - MPI_Wtime());
}

static void exchange(int bytes) {
  MPI_Request requests[2];
  begin_together();
  const double begun = MPI_Wtime();
  MPI_Irecv(in[0], bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  if (rank == 0) printf("%.3f\n", (MPI_Wtime() - begun) * 1e6);
}

static void full(int bytes, int count) {
  double took[COUNT_MAX] = {0};
  begin_together();
  if (rank == 1) hindcast_compute_seconds(1);
  for (int i = 0; i < count; ++i) {
    const double begun = MPI_Wtime();
    if (rank == 0) MPI_Send(out, bytes, MPI_CHAR, 1, i, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(in[0], bytes, MPI_CHAR, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    took[i] = MPI_Wtime() - begun;
  }
  for (int i = 0; i < count && rank == 0; ++i) printf("%.3f\n", took[i] * 1e6);
}

static void two(int bytes) {
  begin_together();
  const double begun = MPI_Wtime();
  MPI_Request requests[2];
  if (rank == 0) {
    for (int i = 0; i < 2; ++i) MPI_Irecv(in[i], bytes, MPI_CHAR, i + 1, 0, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    printf("%.3f\n", (MPI_Wtime() - begun) * 1e6);
  } else {
    MPI_Send(out, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int bytes = argc > 2 ? atoi(argv[2]) : 0;
  if (argc > 2 && strcmp(argv[1], "exchange") == 0) exchange(bytes);
  if (argc > 3 && strcmp(argv[1], "full") == 0) full(bytes, atoi(argv[3]));
  if (argc > 2 && strcmp(argv[1], "two") == 0) two(bytes);
  MPI_Finalize();
  return 0;
}
