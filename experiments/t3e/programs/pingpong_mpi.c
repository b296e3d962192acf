// mpptest's measurement, in MPI: rank 0 and a partner send each other messages of so many bytes in turn, and half of
// rank 0's time for a round is a message's.
//   pingpong_mpi BYTES [PARTNER | FIRST-LAST]
// The partner is the last rank unless given; of several each has its turn.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 200, TAG = 1 };

static void send(char* data, int bytes, int to) { MPI_Send(data, bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD); }
static void receive(char* data, int bytes, int from) {
  MPI_Recv(data, bytes, MPI_BYTE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void answer_rounds(char* data, int bytes) {
  for (int round = 0; round <= ROUNDS; ++round) {
    receive(data, bytes, 0);
    send(data, bytes, 0);
  }
}

static void time_rounds(char* data, int bytes, int partner) {
  double start = 0;
  for (int i = 0; i < bytes; ++i) data[i] = (char)(i + partner);
  for (int round = 0; round <= ROUNDS; ++round) {
    if (round == 1) start = MPI_Wtime();  // the first one meets a partner that may not be there yet
    send(data, bytes, partner);
    memset(data, 0, bytes);
    receive(data, bytes, partner);
  }
  const double time = (MPI_Wtime() - start) / (2 * ROUNDS);
  for (int i = 0; i < bytes; ++i)
    if (data[i] != (char)(i + partner)) MPI_Abort(MPI_COMM_WORLD, 1);
  printf("%d,%d,%.6f\n", bytes, partner, time * 1e6);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int bytes = argc > 1 ? atoi(argv[1]) : 0;
  int first = size - 1, last = size - 1;
  if (argc > 2 && sscanf(argv[2], "%d-%d", &first, &last) < 2) last = first;
  char* data = malloc(bytes + 1);
  if (rank == 0) printf("bytes,partner,time_us\n");
  for (int partner = first; partner <= last; ++partner) {
    if (rank == 0) time_rounds(data, bytes, partner);
    if (rank == partner) answer_rounds(data, bytes);
  }
  free(data);
  MPI_Finalize();
  return 0;
}
