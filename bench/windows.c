// Windows.   windows ITERATIONS BYTES put|count|fence|lock
//   put    rank 0 puts to rank 1 and flushes
//   count  rank 0 fetches and adds at rank 1
//   fence  every rank of a two-dimensional periodic grid puts to its four neighbours, between fences
//   lock   every rank locks, puts and unlocks at a random one
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { neighbours = 4 };

static int rank, size, bytes;
static long iterations;
static char* memory;
static MPI_Win win;

static void put(void) {
  const char data[64] = {1};
  MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
  for (long i = 0; i < iterations; ++i) {
    MPI_Put(data, bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, win);
    MPI_Win_flush(1, win);
  }
  MPI_Win_unlock(1, win);
}

static void count(void) {
  const long one = 1;
  long before = -1;
  MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
  for (long i = 0; i < iterations; ++i) {
    MPI_Fetch_and_op(&one, &before, MPI_LONG, 1, 0, MPI_SUM, win);
    MPI_Win_flush(1, win);
  }
  MPI_Win_unlock(1, win);
  if (iterations > 0 && before != iterations - 1) printf("wrong count\n");
}

static void fence(void) {
  int rows = 1;  // the largest divisor of size not above its square root
  for (int i = 1; i * i <= size; ++i)
    if (size % i == 0) rows = i;
  const int columns = size / rows, row = rank / columns, column = rank % columns;
  const int to[neighbours] = {row * columns + (column + 1) % columns, row * columns + (column + columns - 1) % columns,
                              (row + 1) % rows * columns + column, (row + rows - 1) % rows * columns + column};
  const char data[64] = {1};
  MPI_Win_fence(0, win);
  for (long i = 0; i < iterations; ++i) {
    for (int d = 0; d < neighbours; ++d) MPI_Put(data, bytes, MPI_BYTE, to[d], d * bytes, bytes, MPI_BYTE, win);
    MPI_Win_fence(0, win);
  }
  for (int d = 0; d < neighbours; ++d)
    if (iterations > 0 && memory[d * bytes] != 1) printf("wrong data\n");
}

static void lock(void) {
  const char data[64] = {1};
  unsigned random = 12345 + 67 * (unsigned)rank;
  for (long i = 0; i < iterations; ++i) {
    random = random * 1103515245 + 12345;
    const int to = (int)((random >> 16) % (unsigned)size);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, to, 0, win);
    MPI_Put(data, bytes, MPI_BYTE, to, 0, bytes, MPI_BYTE, win);
    MPI_Win_unlock(to, win);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  iterations = argc > 1 ? atol(argv[1]) : 100;
  bytes = argc > 2 ? atoi(argv[2]) : 8;
  const char* what = argc > 3 ? argv[3] : "put";
  memory = calloc(1024, 1);
  MPI_Win_create(memory, 1024, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  const double start = MPI_Wtime();
  if (strcmp(what, "put") == 0 && rank == 0) put();
  if (strcmp(what, "count") == 0 && rank == 0) count();
  if (strcmp(what, "fence") == 0) fence();
  if (strcmp(what, "lock") == 0) lock();
  MPI_Win_fence(0, win);
  if (rank == 0) printf("windows: %ld iterations in %.9f simulated seconds\n", iterations, MPI_Wtime() - start);
  MPI_Win_free(&win);
  free(memory);
  MPI_Finalize();
  return 0;
}
