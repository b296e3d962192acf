/* ranks: 4
 * needs: buffers of a few megabytes
 * More is sent than the system's buffers hold, to ranks that compute for a second: the sender has to wait for them, in
 * MPI_Send, in a broadcast, and where messages to a third are behind. All of it arrives, and afterwards a message takes
 * what it took before. */
#include <hindcast.h>
#include <string.h>

#include "check.h"

enum {
  messages = 16,
  integers = 150 * 1000,
  bytes = 4 * integers,
  tag = 5
}; /* 9.6 MB; there are a ring and a send buffer of 4 MiB */

static const double busy_s = 1;
static int rank;
static int data[integers];

static double ping_pong(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  if (rank == 0) MPI_Send(data, 1000, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(data, 1000, MPI_BYTE, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Recv(data, 1000, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Send(data, 1000, MPI_BYTE, 0, tag, MPI_COMM_WORLD);
  return MPI_Wtime() - start;
}

static void receive_late(void) {
  hindcast_compute_seconds(busy_s);
  for (int i = 0; i < messages; ++i) {
    memset(data, 0, sizeof data);
    MPI_Recv(data, bytes, MPI_BYTE, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check_elements(data, integers, 0, i);
  }
}

/* Rank 1's ring buffer is full, then rank 0's send buffer, in which a message to rank 2 is behind the others. */
static void flood_by_messages(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  if (rank == 0) {
    for (int i = 0; i < messages; ++i) {
      fill(data, integers, 0, i);
      MPI_Send(data, bytes, MPI_BYTE, 1, i, MPI_COMM_WORLD);
    }
    CHECK(MPI_Wtime() - start > busy_s);
    MPI_Send(data, 8, MPI_BYTE, 2, tag, MPI_COMM_WORLD);
  }
  if (rank == 1) receive_late();
  if (rank == 2) {
    MPI_Recv(data, 8, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(MPI_Wtime() - start > busy_s);
  }
}

/* Nobody takes the broadcasts: they fill all ring buffers, hold the bus, and fill the sender's buffer. */
static void flood_by_broadcasts(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  if (rank != 0) hindcast_compute_seconds(busy_s);
  for (int i = 0; i < messages; ++i) {
    if (rank == 0) fill(data, integers, 0, i);
    if (rank != 0) memset(data, 0, sizeof data);
    MPI_Bcast(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    check_elements(data, integers, 0, i);
  }
  CHECK(MPI_Wtime() - start > busy_s);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = world_rank();
  memset(data, 0, sizeof data);
  const double before = ping_pong();
  flood_by_messages();
  flood_by_broadcasts();
  const double after = ping_pong();
  CHECK(after < before + 1e-6 && before < after + 1e-6);
  return finish();
}
