// One collective operation again and again.   collectives ITERATIONS BYTES OPERATION
// BYTES: what a rank sends to each other one (alltoall, allgather), or has in all. The last result is looked at.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, bytes;
static char *out, *in;

static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void bcast(void) { MPI_Bcast(rank == 0 ? out : in, bytes, MPI_BYTE, 0, MPI_COMM_WORLD); }
static void allreduce(void) { MPI_Allreduce(out, in, bytes / 8, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); }
static void alltoall(void) { MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD); }
static void allgather(void) { MPI_Allgather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD); }

static const struct {
  const char* name;
  void (*run)(void);
  int sends_blocks, receives_blocks;  // one for every rank
} operations[] = {
    {"barrier", barrier, 0, 0},   {"bcast", bcast, 0, 0},         {"allreduce", allreduce, 0, 0},
    {"alltoall", alltoall, 1, 1}, {"allgather", allgather, 0, 1},
};

// What a rank has for another one, as bytes that are equal, so that their order plays no part.
static char content(int from, int to) { return (char)((from + 3 * to) % 60); }

static int is_wrong(int which) {
  if (bytes == 0) return 0;
  if (operations[which].run == bcast) return rank != 0 && in[bytes - 1] != content(0, 0);
  if (operations[which].run == allreduce) return in[bytes - 1] < content(rank, 0);
  for (int r = 0; r < size; ++r) {
    const char expected = content(r, operations[which].sends_blocks ? rank : 0);
    if (in[(size_t)r * bytes] != expected || in[(size_t)(r + 1) * bytes - 1] != expected) return 1;
  }
  return 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int count = sizeof operations / sizeof *operations;
  int which = 0;
  while (argc == 4 && which < count && strcmp(argv[3], operations[which].name) != 0) ++which;
  if (argc != 4 || which == count) {
    if (rank == 0) fprintf(stderr, "usage: collectives ITERATIONS BYTES barrier|bcast|allreduce|alltoall|allgather\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const long iterations = atol(argv[1]);
  bytes = atoi(argv[2]);
  const int to_send = operations[which].sends_blocks ? size : 1,
            to_receive = operations[which].receives_blocks ? size : 1;
  out = malloc((size_t)to_send * bytes);
  in = malloc((size_t)to_receive * bytes);
  for (int r = 0; r < to_send; ++r) memset(out + (size_t)r * bytes, content(rank, r), bytes);
  memset(in, 127, (size_t)to_receive * bytes);

  // Ranks that run ahead could free their memory before others have theirs: start-up would not have all of it.
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (long i = 0; i < iterations; ++i) operations[which].run();
  const double elapsed = MPI_Wtime() - start;

  const int wrong = iterations > 0 && is_wrong(which);
  if (wrong) printf("rank %d: wrong data\n", rank);
  if (rank == 0) printf("%s: %ld in %.9f simulated seconds\n", argv[3], iterations, elapsed);
  free(in);
  free(out);
  MPI_Finalize();
  return wrong;
}
