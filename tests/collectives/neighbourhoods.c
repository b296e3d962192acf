/* One neighbourhood collective, or all, against what the definition says: on grids, graphs and distributed graphs of
 * many sizes. Every rank knows all edges, and so what each of its blocks has to hold.
 *
 *   neighbourhoods OPERATION|all [grid] [nonblocking|persistent] */
#include "harness.h"

enum { degree_max = 8, largest = 67, gap = 3, room = degree_max * (largest + gap) + 1 };

static const char* operation = "all";
static int only_grids;
static MPI_Comm topology;
static int out[room], in[room];

/* Whom a rank's blocks go to. */
struct Edges {
  int count;
  int ranks[degree_max];
};
static struct Edges edges[most];
/* Whom mine come from, and which of the source's blocks each is. */
static struct Edges sources;
static int blocks[degree_max];

static void add(struct Edges* list, int other) {
  CHECK(list->count < degree_max);
  list->ranks[list->count++] = other;
}

/* The first block from a source is what it has sent me first, and so on. */
static void match_in_order(void) {
  for (int i = 0; i < sources.count; ++i) {
    const int source = sources.ranks[i];
    int earlier = 0, edge = 0;
    for (int j = 0; j < i; ++j) earlier += sources.ranks[j] == source;
    for (; edges[source].ranks[edge] != rank || earlier > 0; ++edge) earlier -= edges[source].ranks[edge] == rank;
    blocks[i] = edge;
  }
}

static int count_of(int m, int source, int edge) { return m > 0 ? (m + source + edge) % (m + 1) : 0; }
static int is_there(int i) { return sources.ranks[i] != MPI_PROC_NULL; }

/* What has come in, where blocks lie `stride` apart; nothing is written behind one, nor for a neighbour that is none.
 */
static void check_in(int stride, int tagged, const int* counts) {
  for (int i = 0; i < sources.count; ++i) {
    const int length = is_there(i) ? counts[i] : 0;
    check_elements(in + i * stride, length, sources.ranks[i], tagged ? blocks[i] : 77);
    for (int j = length; j < stride; ++j) CHECK_INT(in[i * stride + j], -1);
  }
  CHECK_INT(in[sources.count * stride], -1);
}

static void test_allgather(int m) {
  int counts[degree_max];
  for (int i = 0; i < sources.count; ++i) counts[i] = m;
  wipe(in, room);
  fill(out, m, rank, 77);
  CALL(MPI_Neighbor_allgather, MPI_Ineighbor_allgather, out, m, MPI_INT, in, m, MPI_INT);
  check_in(m, 0, counts);
}

static void test_allgatherv(int m) {
  int counts[degree_max], places[degree_max], mine = count_of(m, rank, 0);
  for (int i = 0; i < sources.count; ++i) {
    counts[i] = is_there(i) ? count_of(m, sources.ranks[i], 0) : m;
    places[i] = i * (m + gap);
  }
  wipe(in, room);
  fill(out, mine, rank, 77);
  CALL(MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv, out, mine, MPI_INT, in, counts, places, MPI_INT);
  check_in(m + gap, 0, counts);
}

static void test_alltoall(int m) {
  int counts[degree_max];
  for (int i = 0; i < sources.count; ++i) counts[i] = m;
  wipe(in, room);
  for (int e = 0; e < edges[rank].count; ++e) fill(out + e * m, m, rank, e);
  CALL(MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall, out, m, MPI_INT, in, m, MPI_INT);
  check_in(m, 1, counts);
}

/* Blocks go out in reverse order, and come in with gaps. */
static void test_alltoallv(int m, int by_types) {
  int out_counts[degree_max], out_places[degree_max], in_counts[degree_max], in_places[degree_max];
  MPI_Aint out_bytes[degree_max], in_bytes[degree_max];
  MPI_Datatype out_types[degree_max], in_types[degree_max];
  const int degree = edges[rank].count, stride = m + gap;
  for (int e = 0; e < degree; ++e) {
    out_counts[e] = count_of(m, rank, e);
    out_places[e] = (degree - 1 - e) * stride;
    fill(out + out_places[e], out_counts[e], rank, e);
    out_bytes[e] = out_places[e] * (MPI_Aint)sizeof(int);
    out_types[e] = MPI_INT;
  }
  for (int i = 0; i < sources.count; ++i) {
    in_counts[i] = is_there(i) ? count_of(m, sources.ranks[i], blocks[i]) : m;
    in_places[i] = i * stride;
    in_bytes[i] = in_places[i] * (MPI_Aint)sizeof(int);
    in_types[i] = MPI_INT;
  }
  wipe(in, room);
  if (by_types)
    CALL(MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw, out, out_counts, out_bytes, out_types, in, in_counts,
         in_bytes, in_types);
  else
    CALL(MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv, out, out_counts, out_places, MPI_INT, in, in_counts,
         in_places, MPI_INT);
  check_in(stride, 1, in_counts);
}

static void test_neighbourhood(void) {
  static const int lengths[] = {0, 1, 5, largest};
  const MPI_Comm whole = comm;
  const int all_ranks = n;
  const int is_all = strcmp(operation, "all") == 0;
  if (topology == MPI_COMM_NULL) return;
  comm = topology;
  MPI_Comm_size(comm, &n);
  for (int i = 0; i < 4; ++i) {
    if (is_all || strcmp(operation, "neighbor_allgather") == 0) test_allgather(lengths[i]);
    if (is_all || strcmp(operation, "neighbor_allgatherv") == 0) test_allgatherv(lengths[i]);
    if (is_all || strcmp(operation, "neighbor_alltoall") == 0) test_alltoall(lengths[i]);
    if (is_all || strcmp(operation, "neighbor_alltoallv") == 0) test_alltoallv(lengths[i], 0);
    if (is_all || strcmp(operation, "neighbor_alltoallw") == 0) test_alltoallv(lengths[i], 1);
  }
  comm = whole;
  n = all_ranks;
  MPI_Comm_free(&topology);
}

/* The last dimension runs fastest; what is sent backwards comes from the neighbour ahead. */
static void test_grid(int ndims, const int* dims, const int* periods) {
  MPI_Cart_create(comm, ndims, dims, periods, 0, &topology);
  edges[rank].count = 0;
  for (int d = 0; d < ndims; ++d) {
    int stride = 1;
    for (int later = d + 1; later < ndims; ++later) stride *= dims[later];
    const int place = rank / stride % dims[d];
    const int before = place > 0 ? rank - stride : rank + (dims[d] - 1) * stride;
    const int after = place + 1 < dims[d] ? rank + stride : rank - (dims[d] - 1) * stride;
    add(&edges[rank], place > 0 || periods[d] ? before : MPI_PROC_NULL);
    add(&edges[rank], place + 1 < dims[d] || periods[d] ? after : MPI_PROC_NULL);
  }
  sources = edges[rank];
  for (int i = 0; i < sources.count; ++i) blocks[i] = i ^ 1;
  test_neighbourhood();
}

static void test_grids(void) {
  for (int ndims = 0; ndims <= 3; ++ndims) {
    int balanced[3] = {0, 0, 0}, flat[3] = {1, n, 1}, pairs[3] = {2, n / 2, 1};
    if (ndims > 0) MPI_Dims_create(n, ndims, balanced);
    for (int which = 0; which < 1 << ndims; ++which) {
      const int periods[3] = {which & 1, which & 2, which & 4};
      test_grid(ndims, balanced, periods); /* of no dimensions: one rank */
      if (ndims > 1) test_grid(ndims, flat, periods);
      if (ndims > 1 && n > 1) test_grid(ndims, pairs, periods); /* of an odd size one rank is left out */
    }
  }
}

/* Each rank has two edges to the next one and one to itself; every fifth has none. */
static void test_graph(void) {
  int index[most], list[most * degree_max], total = 0;
  for (int r = 0; r < n; ++r) edges[r].count = 0;
  for (int r = 0; r < n; ++r) {
    const int next = (r + 1) % n;
    if (r % 5 == 4) continue;
    add(&edges[r], r);
    for (int twice = 0; twice < 2 && next % 5 != 4 && next != r; ++twice) {
      add(&edges[r], next);
      add(&edges[next], r);
    }
  }
  for (int r = 0; r < n; ++r) {
    for (int e = 0; e < edges[r].count; ++e) list[total++] = edges[r].ranks[e];
    index[r] = total;
  }
  MPI_Graph_create(comm, n, index, list, 0, &topology);
  sources = edges[rank];
  match_in_order();
  test_neighbourhood();
}

/* One-way edges, several of them between the same ranks, to itself too; some ranks have none in or none out. */
static void test_distributed_graph(void) {
  for (int r = 0; r < n; ++r) {
    edges[r].count = 0;
    for (int e = 0; e < r % 4; ++e) add(&edges[r], (r + e * e) % n);
    for (int e = 0; e < r % 3; ++e) add(&edges[r], (r + 2 * n - 2) % n);
  }
  sources.count = 0;
  for (int r = n - 1; r >= 0; --r)
    for (int e = 0; e < edges[r].count; ++e)
      if (edges[r].ranks[e] == rank) add(&sources, r);
  match_in_order();
  MPI_Dist_graph_create_adjacent(comm, sources.count, sources.ranks, MPI_UNWEIGHTED, edges[rank].count,
                                 edges[rank].ranks, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &topology);
  test_neighbourhood();
}

static void test_size(void) {
  test_grids();
  if (only_grids) return;
  test_graph();
  test_distributed_graph();
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc > 1) operation = argv[1];
  for (int i = 2; i < argc; ++i) {
    only_grids |= strcmp(argv[i], "grid") == 0;
    nonblocking |= strcmp(argv[i], "nonblocking") == 0;
    persistent |= strcmp(argv[i], "persistent") == 0;
    on_world_only |= strcmp(argv[i], "world") == 0;
  }
  on_all_sizes(test_size);
  if (world_rank() == 0) printf("ok\n");
  MPI_Finalize();
  return 0;
}
