// The time of one collective operation, or of a message from rank 0 to rank 1, at several sizes. All ranks begin it at
// one instant, each takes its own time from there, and the largest counts.
//   collective OPERATION BYTES...
// Neighbourhoods are those of a periodic grid, as near to a square as the ranks allow. The bytes are those of a block,
// in whole doubles; a size whose buffers would be too large for a rank is left out.
#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOT = 0, NEIGHBOURS = 4, BUFFER_MAX = 2 << 20 };

// What an operation moves: `doubles` to a block, in buffers for a block for each rank.
static int ranks, doubles;
static double *from, *to;
static int *counts, *displacements, *byte_displacements;
static MPI_Aint* addresses;
static MPI_Datatype* types;
static MPI_Comm grid;

static void message(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == ROOT) MPI_Send(from, doubles, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(to, doubles, MPI_DOUBLE, ROOT, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
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

static void neighbor_allgather(void) {
  MPI_Neighbor_allgather(from, doubles, MPI_DOUBLE, to, doubles, MPI_DOUBLE, grid);
}
static void neighbor_allgatherv(void) {
  MPI_Neighbor_allgatherv(from, doubles, MPI_DOUBLE, to, counts, displacements, MPI_DOUBLE, grid);
}
static void neighbor_alltoall(void) { MPI_Neighbor_alltoall(from, doubles, MPI_DOUBLE, to, doubles, MPI_DOUBLE, grid); }
static void neighbor_alltoallv(void) {
  MPI_Neighbor_alltoallv(from, counts, displacements, MPI_DOUBLE, to, counts, displacements, MPI_DOUBLE, grid);
}
static void neighbor_alltoallw(void) {
  MPI_Neighbor_alltoallw(from, counts, addresses, types, to, counts, addresses, types, grid);
}

typedef struct {
  const char* name;
  void (*call)(void);
  enum { ONE, FOR_EACH_RANK, FOR_EACH_NEIGHBOUR } blocks;
} Operation;

static const Operation operations[] = {
    {"message", message, ONE},
    {"barrier", barrier, ONE},
    {"bcast", bcast, ONE},
    {"gather", gather, FOR_EACH_RANK},
    {"gatherv", gatherv, FOR_EACH_RANK},
    {"scatter", scatter, FOR_EACH_RANK},
    {"scatterv", scatterv, FOR_EACH_RANK},
    {"allgather", allgather, FOR_EACH_RANK},
    {"allgatherv", allgatherv, FOR_EACH_RANK},
    {"alltoall", alltoall, FOR_EACH_RANK},
    {"alltoallv", alltoallv, FOR_EACH_RANK},
    {"alltoallw", alltoallw, FOR_EACH_RANK},
    {"reduce", reduce, ONE},
    {"allreduce", allreduce, ONE},
    {"reduce_scatter_block", reduce_scatter_block, FOR_EACH_RANK},
    {"reduce_scatter", reduce_scatter, FOR_EACH_RANK},
    {"scan", scan, ONE},
    {"exscan", exscan, ONE},
    {"neighbor_allgather", neighbor_allgather, FOR_EACH_NEIGHBOUR},
    {"neighbor_allgatherv", neighbor_allgatherv, FOR_EACH_NEIGHBOUR},
    {"neighbor_alltoall", neighbor_alltoall, FOR_EACH_NEIGHBOUR},
    {"neighbor_alltoallv", neighbor_alltoallv, FOR_EACH_NEIGHBOUR},
    {"neighbor_alltoallw", neighbor_alltoallw, FOR_EACH_NEIGHBOUR},
};

static const Operation* find_operation(const char* name) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; ++i)
    if (strcmp(operations[i].name, name) == 0) return &operations[i];
  fprintf(stderr, "collective: does not know how to call '%s'\n", name);
  exit(2);
}

// When all have come, rank 0 names an instant that is far enough ahead for all to hear of it, and all compute until
// then.
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

static void make_grid(void) {
  int extents[2] = {0, 0};
  const int periods[2] = {1, 1};
  MPI_Dims_create(ranks, 2, extents);
  MPI_Cart_create(MPI_COMM_WORLD, 2, extents, periods, 0, &grid);
}

static size_t blocks_of(const Operation* operation) {
  return operation->blocks == ONE ? 1 : operation->blocks == FOR_EACH_RANK ? (size_t)ranks : NEIGHBOURS;
}

static void lay_out_blocks(size_t blocks, size_t bytes) {
  doubles = (int)(bytes / sizeof(double));
  from = realloc(from, blocks * bytes + 1);
  to = realloc(to, blocks * bytes + 1);
  memset(from, 0, blocks * bytes);
  memset(to, 0, blocks * bytes);
  for (size_t i = 0; i < blocks; ++i) {
    counts[i] = doubles;
    displacements[i] = (int)i * doubles;
    byte_displacements[i] = (int)(i * bytes);
    addresses[i] = (MPI_Aint)(i * bytes);
    types[i] = MPI_DOUBLE;
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Operation* operation = find_operation(argc > 1 ? argv[1] : "");
  const size_t blocks = blocks_of(operation);
  counts = malloc(blocks * sizeof *counts);
  displacements = malloc(blocks * sizeof *displacements);
  byte_displacements = malloc(blocks * sizeof *byte_displacements);
  addresses = malloc(blocks * sizeof *addresses);
  types = malloc(blocks * sizeof *types);
  if (operation->blocks == FOR_EACH_NEIGHBOUR) make_grid();
  if (rank == ROOT) printf("bytes,ranks,time_us\n");
  for (int i = 2; i < argc; ++i) {
    const size_t bytes = strtoul(argv[i], NULL, 10);
    if (blocks * bytes > BUFFER_MAX) continue;
    lay_out_blocks(blocks, bytes);
    time_of(operation);  // what the first call of a kind does besides is not counted
    const double longest = time_of(operation);
    if (rank == ROOT) printf("%zu,%d,%.6f\n", bytes, ranks, longest * 1e6);
    fflush(stdout);
  }
  MPI_Finalize();
  return 0;
}
