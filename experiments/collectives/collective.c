// The time of one collective operation, at several sizes. All ranks begin it at one instant, each takes its own time
// from there, and the largest counts.
//   collective OPERATION BYTES...
// The bytes are those of a block, in whole doubles; a size whose buffers would be too large for a rank is left out.
#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOT = 0, BUFFER_MAX = 4 << 20 };

// What an operation moves: `doubles` to a block, in buffers for a block for each rank.
static int ranks, doubles;
static double *from, *to;
static int *counts, *displacements, *byte_displacements;
static MPI_Datatype* types;

static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void bcast(void) { MPI_Bcast(from, doubles, MPI_DOUBLE, ROOT, MPI_COMM_WORLD); }
static void gather(void) { MPI_Gather(from, doubles, MPI_DOUBLE, to, doubles, MPI_DOUBLE, ROOT, MPI_COMM_WORLD); }
static void gatherv(void) {
  MPI_Gatherv(from, doubles, MPI_DOUBLE, to, counts, displacements, MPI_DOUBLE, ROOT, MPI_COMM_WORLD);
}
static void scatter(void) { MPI_Scatter(from, doubles, MPI_DOUBLE, to, doubles, MPI_DOUBLE, ROOT, MPI_COMM_WORLD); }
static void scatterv(void) {
  MPI_Scatterv(from, counts, displacements, MPI_DOUBLE, to, doubles, MPI_DOUBLE, ROOT, MPI_COMM_WORLD);
}
static void allgather(void) { MPI_Allgather(from, doubles, MPI_DOUBLE, to, doubles, MPI_DOUBLE, MPI_COMM_WORLD); }
static void allgatherv(void) {
  MPI_Allgatherv(from, doubles, MPI_DOUBLE, to, counts, displacements, MPI_DOUBLE, MPI_COMM_WORLD);
}
static void alltoall(void) { MPI_Alltoall(from, doubles, MPI_DOUBLE, to, doubles, MPI_DOUBLE, MPI_COMM_WORLD); }
static void alltoallv(void) {
  MPI_Alltoallv(from, counts, displacements, MPI_DOUBLE, to, counts, displacements, MPI_DOUBLE, MPI_COMM_WORLD);
}
static void alltoallw(void) {
  MPI_Alltoallw(from, counts, byte_displacements, types, to, counts, byte_displacements, types, MPI_COMM_WORLD);
}
static void reduce(void) { MPI_Reduce(from, to, doubles, MPI_DOUBLE, MPI_SUM, ROOT, MPI_COMM_WORLD); }
static void allreduce(void) { MPI_Allreduce(from, to, doubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }
static void reduce_scatter_block(void) {
  MPI_Reduce_scatter_block(from, to, doubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static void reduce_scatter(void) { MPI_Reduce_scatter(from, to, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }
static void scan(void) { MPI_Scan(from, to, doubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }
static void exscan(void) { MPI_Exscan(from, to, doubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }

typedef struct {
  const char* name;
  void (*call)(void);
  int has_block_for_each;  // else one for all
} Operation;

static const Operation operations[] = {
    {"barrier", barrier, 0},
    {"bcast", bcast, 0},
    {"gather", gather, 1},
    {"gatherv", gatherv, 1},
    {"scatter", scatter, 1},
    {"scatterv", scatterv, 1},
    {"allgather", allgather, 1},
    {"allgatherv", allgatherv, 1},
    {"alltoall", alltoall, 1},
    {"alltoallv", alltoallv, 1},
    {"alltoallw", alltoallw, 1},
    {"reduce", reduce, 0},
    {"allreduce", allreduce, 0},
    {"reduce_scatter_block", reduce_scatter_block, 1},
    {"reduce_scatter", reduce_scatter, 1},
    {"scan", scan, 0},
    {"exscan", exscan, 0},
};

static const Operation* find_operation(const char* name) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; ++i)
    if (strcmp(operations[i].name, name) == 0) return &operations[i];
  fprintf(stderr, "collective: does not know how to call '%s'\n", name);
  exit(2);
}

// When all have come, rank 0 names an instant that is far enough ahead for all to hear of it, and all compute until then.
static void begin_together(void) {
  const double ahead = 1;
  MPI_Barrier(MPI_COMM_WORLD);
  double instant = MPI_Wtime() + ahead;
  MPI_Bcast(&instant, 1, MPI_DOUBLE, ROOT, MPI_COMM_WORLD);
  const double left = instant - MPI_Wtime();
  if (left < 0) {
    fprintf(stderr, "collective: a broadcast took more than %g s\n", ahead);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  hindcast_compute_seconds(left);
}

static double time_of(const Operation* operation) {
  begin_together();
  const double start = MPI_Wtime();
  operation->call();
  const double mine = MPI_Wtime() - start;
  begin_together();  // nothing is under way when the times are compared
  double longest = 0;
  MPI_Reduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, ROOT, MPI_COMM_WORLD);
  return longest;
}

static void lay_out_blocks(const Operation* operation, size_t bytes) {
  doubles = (int)(bytes / sizeof(double));
  const int blocks = operation->has_block_for_each ? ranks : 1;
  from = realloc(from, blocks * bytes + 1);
  to = realloc(to, blocks * bytes + 1);
  memset(from, 0, blocks * bytes);
  memset(to, 0, blocks * bytes);
  for (int rank = 0; rank < ranks; ++rank) {
    counts[rank] = doubles;
    displacements[rank] = rank * doubles;
    byte_displacements[rank] = rank * (int)bytes;
    types[rank] = MPI_DOUBLE;
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  counts = malloc(ranks * sizeof *counts);
  displacements = malloc(ranks * sizeof *displacements);
  byte_displacements = malloc(ranks * sizeof *byte_displacements);
  types = malloc(ranks * sizeof *types);

  const Operation* operation = find_operation(argc > 1 ? argv[1] : "");
  if (rank == ROOT) printf("bytes,ranks,time_us\n");
  for (int i = 2; i < argc; ++i) {
    const size_t bytes = strtoul(argv[i], NULL, 10);
    if ((operation->has_block_for_each ? ranks : 1) * bytes > BUFFER_MAX) continue;
    lay_out_blocks(operation, bytes);
    time_of(operation);  // what the first call of a kind does besides is not counted
    const double longest = time_of(operation);
    if (rank == ROOT) printf("%zu,%d,%.6f\n", bytes, ranks, longest * 1e6);
  }
  MPI_Finalize();
  return 0;
}
