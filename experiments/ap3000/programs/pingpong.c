// Messages there and back between rank 0 and the last one, with blocking calls: half of the time of a round.
//   pingpong mpi|aplib BYTES...
#include <aplib.h>

#include "together.h"

enum { BYTES_MAX = 1 << 20, ROUNDS = 20, TAG = 1 };
static char data[BYTES_MAX];

static void mpi_send(int to, int bytes) { MPI_Send(data, bytes, MPI_CHAR, to, TAG, MPI_COMM_WORLD); }
static void mpi_receive(int from, int bytes) {
  MPI_Recv(data, bytes, MPI_CHAR, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void ap_send(int to, int bytes) { l_asend(to, TAG, data, bytes); }
static void ap_receive(int from, int bytes) { l_arecv(from, TAG, data, bytes, NULL); }

static void (*send)(int, int), (*receive)(int, int);

static double time_us(int bytes, int last) {
  begin_together();
  const double before = MPI_Wtime(), begun = MPI_Wtime();
  for (int round = 0; round < ROUNDS; ++round) {
    if (rank == 0) {
      memset(data, round + 1, bytes);
      send(last, bytes);
      memset(data, 0, bytes);
      receive(last, bytes);
      if (bytes > 0 && data[bytes - 1] != round + 1) fail("another message came back");
    } else if (rank == last) {
      receive(0, bytes);
      send(0, bytes);
    }
  }
  return (MPI_Wtime() - begun - (begun - before)) / (2 * ROUNDS) * 1e6;
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  if (argc < 3) fail("pingpong mpi|aplib BYTES...");
  const int of_aplib = strcmp(argv[1], "aplib") == 0;
  send = of_aplib ? ap_send : mpi_send;
  receive = of_aplib ? ap_receive : mpi_receive;
  if (rank == 0) printf("ranks,bytes,time_us,rate_mib\n");
  for (int i = 2; i < argc; ++i) {
    const int bytes = atoi(argv[i]);
    const double time = time_us(bytes, ranks - 1);
    if (rank == 0) printf("%d,%d,%.6f,%.6f\n", ranks, bytes, time, bytes / time * 1e6 / (1 << 20));
  }
  MPI_Finalize();
  return 0;
}
