// Every rank sends a message to every other one, pair by pair, or all posted at once.
//   alltoall_by_hand ITERATIONS [BYTES [at-once]]
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void exchange_by_pairs(const char* out, char* in, int bytes, int rank, int size) {
  for (int step = 1; step < size; ++step) {
    const int to = (rank + step) % size, from = (rank + size - step) % size;
    MPI_Sendrecv(out + (size_t)to * bytes, bytes, MPI_BYTE, to, 7, in + (size_t)from * bytes, bytes, MPI_BYTE, from, 7,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void exchange_at_once(const char* out, char* in, int bytes, int rank, int size, MPI_Request* requests) {
  int posted = 0;
  for (int step = 1; step < size; ++step) {
    const int from = (rank + size - step) % size;
    MPI_Irecv(in + (size_t)from * bytes, bytes, MPI_BYTE, from, 7, MPI_COMM_WORLD, &requests[posted++]);
  }
  for (int step = 1; step < size; ++step) {
    const int to = (rank + step) % size;
    MPI_Isend(out + (size_t)to * bytes, bytes, MPI_BYTE, to, 7, MPI_COMM_WORLD, &requests[posted++]);
  }
  MPI_Waitall(posted, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const long iterations = argc > 1 ? atol(argv[1]) : 10;
  const int bytes = argc > 2 ? atoi(argv[2]) : 1024;
  const int at_once = argc > 3 && strcmp(argv[3], "at-once") == 0;
  char* out = malloc((size_t)size * bytes);
  char* in = malloc((size_t)size * bytes);
  for (int r = 0; r < size; ++r) memset(out + (size_t)r * bytes, (rank + 3 * r) % 120, bytes);
  memset(in, 127, (size_t)size * bytes);
  MPI_Request* requests = malloc(2 * size * sizeof *requests);

  const double start = MPI_Wtime();
  for (long i = 0; i < iterations; ++i) {
    if (at_once) {
      exchange_at_once(out, in, bytes, rank, size, requests);
    } else {
      exchange_by_pairs(out, in, bytes, rank, size);
    }
  }
  const double elapsed = MPI_Wtime() - start;

  int wrong = 0;
  for (int r = 0; r < size && iterations > 0; ++r) {
    const char expected = (char)((r + 3 * rank) % 120);
    if (r != rank) wrong |= in[(size_t)r * bytes] != expected || in[(size_t)(r + 1) * bytes - 1] != expected;
  }
  if (wrong) printf("rank %d: wrong data\n", rank);
  if (rank == 0) printf("alltoall: %ld messages in %.9f simulated seconds\n", iterations * size * (size - 1L), elapsed);
  free(requests);
  free(in);
  free(out);
  MPI_Finalize();
  return wrong;
}
