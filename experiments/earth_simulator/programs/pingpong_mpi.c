// The page's measurement of a ping-pong: a message there and one back, received by MPI_Irecv, sent by MPI_Send or by
// MPI_Isend. Half of rank 0's time for a round is a message's.
//   pingpong_mpi BYTES PARTNER [GMEM|LMEM [send|isend|nothing]]
// With `nothing` no message is sent. The kind of memory is that of all buffers; partner 1 is on rank 0's node if ranks
// fill nodes one after the other.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 20, TAG = 1 };

static void send(const char* data, int bytes, int to, int is_nonblocking) {
  if (!is_nonblocking) {
    MPI_Send(data, bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
    return;
  }
  MPI_Request request;
  MPI_Isend(data, bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// Receives are posted before what they are for can have been sent.
static double time_rounds(char* out, char* in, int bytes, int other, int is_first, int is_nonblocking) {
  double start = 0;
  for (int round = 0; round <= ROUNDS; ++round) {
    MPI_Request request;
    MPI_Irecv(in, bytes, MPI_BYTE, other, TAG, MPI_COMM_WORLD, &request);
    if (round == 0)
      MPI_Sendrecv(NULL, 0, MPI_BYTE, other, 2, NULL, 0, MPI_BYTE, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (round == 1) start = MPI_Wtime();
    if (is_first) send(out, bytes, other, is_nonblocking);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (!is_first) send(out, bytes, other, is_nonblocking);
  }
  return (MPI_Wtime() - start) / (2 * ROUNDS);
}

static char* get_memory(const char* kind, int bytes) {
  MPI_Info info;
  char* memory;
  MPI_Info_create(&info);
  MPI_Info_set(info, "memory", kind);
  MPI_Alloc_mem(bytes + 1, info, &memory);
  MPI_Info_free(&info);
  return memory;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int bytes = argc > 1 ? atoi(argv[1]) : 0;
  const int partner = argc > 2 ? atoi(argv[2]) : 1;
  const char* kind = argc > 3 ? argv[3] : "GMEM";
  const char* how = argc > 4 ? argv[4] : "send";
  const int is_nonblocking = strcmp(how, "isend") == 0;
  if (strcmp(how, "nothing") == 0) {
    if (rank == 0) printf("bytes,time_us,throughput\n%d,0,0\n", bytes);
  } else if (rank == 0 || rank == partner) {
    char* out = get_memory(kind, bytes);
    char* in = get_memory(kind, bytes);
    memset(out, rank + 1, bytes);
    const int other = rank == 0 ? partner : 0;
    const double time = time_rounds(out, in, bytes, other, rank == 0, is_nonblocking);
    for (int i = 0; i < bytes; ++i)
      if (in[i] != (char)(other + 1)) MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 0) printf("bytes,time_us,throughput\n%d,%.6f,%.6f\n", bytes, time * 1e6, bytes / time / 1e9);
    MPI_Free_mem(in);
    MPI_Free_mem(out);
  }
  MPI_Finalize();
  return 0;
}
