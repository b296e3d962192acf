// All ranks combine with rank 0's memory at one time, in all ways that there are; each operation must be one that
// nobody else gets between.
//   accumulates [GMEM|LMEM]
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 5, COUNT = 64 };

static struct {
  long counted, swapped;
  double sums[COUNT], fetched[COUNT];
} * memory;
static MPI_Win window;

static void require(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "wrong: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void count_on(long* values) {
  const long one = 1;
  for (int i = 0; i < ROUNDS; ++i) {
    MPI_Fetch_and_op(&one, &values[i], MPI_LONG, 0, 0, MPI_SUM, window);
    MPI_Win_flush(0, window);
  }
}

// To one more than it was, once somebody else has not been quicker.
static void swap_on(void) {
  long seen = 0, found = -1;
  for (;;) {
    const long next = seen + 1;
    MPI_Compare_and_swap(&next, &seen, &found, MPI_LONG, 0, 8, window);
    MPI_Win_flush(0, window);
    if (found == seen) return;
    seen = found;
  }
}

// One piece, and every other element of it; the values before are of one moment.
static void add(void) {
  double ones[COUNT], before[COUNT];
  MPI_Datatype every_other;
  for (int i = 0; i < COUNT; ++i) ones[i] = 1;
  MPI_Type_vector(COUNT / 2, 1, 2, MPI_DOUBLE, &every_other);
  MPI_Type_commit(&every_other);
  for (int i = 0; i < ROUNDS; ++i) {
    MPI_Accumulate(ones, COUNT, MPI_DOUBLE, 0, 16, COUNT, MPI_DOUBLE, MPI_SUM, window);
    MPI_Accumulate(ones, COUNT / 2, MPI_DOUBLE, 0, 16, 1, every_other, MPI_SUM, window);
    MPI_Get_accumulate(ones, COUNT, MPI_DOUBLE, before, COUNT, MPI_DOUBLE, 0, 16 + COUNT * 8, COUNT, MPI_DOUBLE,
                       MPI_SUM, window);
    MPI_Win_flush(0, window);
    for (int k = 1; k < COUNT; ++k) require(before[k] == before[0], "values of one moment");
  }
  MPI_Type_free(&every_other);
}

static int compare(const void* a, const void* b) { return *(const long*)a < *(const long*)b ? -1 : 1; }

int main(int argc, char** argv) {
  int rank, size;
  MPI_Info info;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Info_create(&info);
  MPI_Info_set(info, "memory", argc > 1 ? argv[1] : "GMEM");
  MPI_Win_allocate(sizeof *memory, 1, info, MPI_COMM_WORLD, &memory, &window);
  MPI_Info_free(&info);
  memory->counted = memory->swapped = 0;
  for (int i = 0; i < COUNT; ++i) memory->sums[i] = memory->fetched[i] = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, window);
  long values[ROUNDS];
  long* all = malloc(size * sizeof values);
  count_on(values);
  swap_on();
  add();
  MPI_Win_unlock_all(window);
  MPI_Gather(values, ROUNDS, MPI_LONG, all, ROUNDS, MPI_LONG, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    qsort(all, size * ROUNDS, sizeof *all, compare);
    for (long i = 0; i < size * ROUNDS; ++i) require(all[i] == i, "each count was had once");
    require(memory->counted == size * ROUNDS && memory->swapped == size, "counts");
    for (int i = 0; i < COUNT; ++i) {
      require(memory->sums[i] == size * ROUNDS * (i % 2 == 0 ? 2 : 1), "sums");
      require(memory->fetched[i] == size * ROUNDS, "sums whose values before were asked for");
    }
    printf("right, after %.6f us\n", MPI_Wtime() * 1e6);
  }
  free(all);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
