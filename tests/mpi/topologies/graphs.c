/* ranks: 1 2 5 9 33
 * Graph topologies, known to all or distributed: each rank finds the neighbours, with their weights, that the
 * definition of the graph gives. */
#include "check.h"

#include <string.h>

enum { most = 33 };

/* A graph with loops, double edges and ranks without neighbours: node i has i % 4 neighbours, i, i + 1, ... */
static int degree_of(int node) { return node % 4; }
static int edge_of(int node, int number, int nodes) { return (node + number * number) % nodes; }

static void shared_graph(int nodes) {
  int index[most], edges[4 * most], total = 0, value = -1, other = -1, found[4 * most], found_index[most], rank;
  MPI_Comm graph, copy;
  for (int i = 0; i < nodes; ++i) {
    for (int e = 0; e < degree_of(i); ++e) edges[total++] = edge_of(i, e, nodes);
    index[i] = total;
  }
  MPI_Graph_map(MPI_COMM_WORLD, nodes, index, edges, &rank);
  CHECK_INT(rank, world_rank() < nodes ? world_rank() : MPI_UNDEFINED);
  MPI_Graph_create(MPI_COMM_WORLD, nodes, index, edges, 1, &graph);
  CHECK((graph == MPI_COMM_NULL) == (world_rank() >= nodes));
  if (graph == MPI_COMM_NULL) return;
  MPI_Comm_dup(graph, &copy);
  MPI_Comm_free(&graph);
  MPI_Topo_test(copy, &value);
  CHECK_INT(value, MPI_GRAPH);
  MPI_Comm_size(copy, &value);
  CHECK_INT(value, nodes);
  MPI_Graphdims_get(copy, &value, &other);
  CHECK_INT(value, nodes);
  CHECK_INT(other, total);
  MPI_Graph_get(copy, nodes, total, found_index, found);
  for (int i = 0; i < nodes; ++i) CHECK_INT(found_index[i], index[i]);
  for (int i = 0; i < total; ++i) CHECK_INT(found[i], edges[i]);
  for (int i = 0; i < nodes; ++i) {
    MPI_Graph_neighbors_count(copy, i, &value);
    CHECK_INT(value, degree_of(i));
    MPI_Graph_neighbors(copy, i, value, found);
    for (int e = 0; e < value; ++e) CHECK_INT(found[e], edge_of(i, e, nodes));
  }
  MPI_Comm_free(&copy);
}

static int weight_of(int source, int destination) { return 100 * source + destination; }

/* Whether the ranks and weights are those of the edges into or out of this rank, in any order. */
static void expect_edges(int count, const int* ranks, const int* weights, int is_in, const int (*edges)[2], int total) {
  const int rank = world_rank();
  int used[8 * most] = {0}, expected = 0;
  for (int e = 0; e < total; ++e) expected += edges[e][is_in] == rank;
  CHECK_INT(count, expected);
  for (int i = 0; i < count; ++i) {
    int found = 0;
    for (int e = 0; e < total && !found; ++e) {
      found = !used[e] && edges[e][is_in] == rank && edges[e][!is_in] == ranks[i];
      used[e] = used[e] || found;
    }
    CHECK(found);
    if (weights != NULL) CHECK_INT(weights[i], is_in ? weight_of(ranks[i], rank) : weight_of(rank, ranks[i]));
  }
}

static void check_neighbours(MPI_Comm graph, int is_weighted, const int (*edges)[2], int total) {
  int in = -1, out = -1, weighted = -1, sources[8 * most], destinations[8 * most], in_weights[8 * most],
      out_weights[8 * most];
  MPI_Topo_test(graph, &in);
  CHECK_INT(in, MPI_DIST_GRAPH);
  MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
  CHECK_INT(weighted, is_weighted);
  MPI_Dist_graph_neighbors(graph, in, sources, is_weighted ? in_weights : MPI_UNWEIGHTED, out, destinations,
                           is_weighted ? out_weights : MPI_UNWEIGHTED);
  expect_edges(in, sources, is_weighted ? in_weights : NULL, 1, edges, total);
  expect_edges(out, destinations, is_weighted ? out_weights : NULL, 0, edges, total);
  /* again the same, and as much of it as there is room for */
  int again[8 * most] = {-5};
  MPI_Dist_graph_neighbors(graph, in > 0 ? in - 1 : 0, again, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED);
  for (int i = 0; i + 1 < in; ++i) CHECK_INT(again[i], sources[i]);
  /* a message along every edge */
  MPI_Request requests[16 * most];
  int values[8 * most];
  for (int i = 0; i < in; ++i) MPI_Irecv(&values[i], 1, MPI_INT, sources[i], 9, graph, &requests[i]);
  const int mine = element(world_rank(), 9, 1);
  for (int i = 0; i < out; ++i) MPI_Isend(&mine, 1, MPI_INT, destinations[i], 9, graph, &requests[in + i]);
  MPI_Waitall(in + out, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < in; ++i) CHECK_INT(values[i], element(sources[i], 9, 1));
}

/* Edges named by whoever: rank r names those from r + 1 on, to itself and the next ones. */
static void distributed_graph(int is_weighted) {
  const int size = world_size(), rank = world_rank();
  int edges[8 * most][2], total = 0;
  for (int r = 0; r < size; ++r)
    for (int e = 0; e < r % 4; ++e) {
      edges[total][0] = (r + 1 + e / 2) % size;
      edges[total++][1] = (r + e * e) % size;
    }
  int sources[2], degrees[2], destinations[4], weights[4];
  const int mine = rank % 4, named = (mine + 1) / 2; /* two edges of each source */
  for (int e = 0; e < mine; ++e) {
    sources[e / 2] = (rank + 1 + e / 2) % size;
    degrees[e / 2] = e % 2 + 1;
    destinations[e] = (rank + e * e) % size;
    weights[e] = weight_of(sources[e / 2], destinations[e]);
  }
  MPI_Comm graph, copy;
  MPI_Dist_graph_create(MPI_COMM_WORLD, named, sources, degrees, destinations,
                        !is_weighted ? MPI_UNWEIGHTED
                        : mine == 0  ? MPI_WEIGHTS_EMPTY
                                     : weights,
                        MPI_INFO_NULL, 0, &graph);
  check_neighbours(graph, is_weighted, (const int(*)[2])edges, total);
  MPI_Comm_dup(graph, &copy);
  MPI_Comm_free(&graph);
  check_neighbours(copy, is_weighted, (const int(*)[2])edges, total);
  MPI_Comm_free(&copy);
}

/* A ring with a chord; the order of neighbours is that of the call. */
static void adjacent_graph(int is_weighted) {
  const int size = world_size(), rank = world_rank();
  int edges[8 * most][2], total = 0, in[2], out[2], in_weights[2], out_weights[2], value, other, weighted;
  for (int r = 0; r < size; ++r)
    for (int e = 1; e <= 2; ++e) {
      edges[total][0] = r;
      edges[total++][1] = (r + e) % size;
    }
  for (int e = 0; e < 2; ++e) {
    in[e] = (rank + 2 * size - 2 + e) % size;
    out[e] = (rank + 2 - e) % size;
    in_weights[e] = weight_of(in[e], rank);
    out_weights[e] = weight_of(rank, out[e]);
  }
  MPI_Comm graph;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, in, is_weighted ? in_weights : MPI_UNWEIGHTED, 2, out,
                                 is_weighted ? out_weights : MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &graph);
  check_neighbours(graph, is_weighted, (const int(*)[2])edges, total);
  int found_in[2], found_out[2];
  MPI_Dist_graph_neighbors(graph, 2, found_in, MPI_UNWEIGHTED, 2, found_out, MPI_UNWEIGHTED);
  CHECK(memcmp(found_in, in, sizeof in) == 0 && memcmp(found_out, out, sizeof out) == 0);
  MPI_Comm_free(&graph);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_WEIGHTS_EMPTY, 0, NULL, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL,
                                 0, &graph); /* no edge at all */
  MPI_Dist_graph_neighbors_count(graph, &value, &other, &weighted);
  CHECK(value == 0 && other == 0 && weighted);
  MPI_Comm_free(&graph);
}

static void errors(void) {
  const int size = world_size();
  int index[most + 1] = {1}, edges[] = {0}, outside[] = {size}, falling[] = {1, 0}, minus[] = {-1}, value, other, more;
  int weights[] = {-4};
  MPI_Comm graph;
  FAILS(MPI_Graph_create(MPI_COMM_WORLD, size + 1, index, edges, 0, &graph), MPI_ERR_TOPOLOGY);
  FAILS(MPI_Graph_create(MPI_COMM_WORLD, 1, index, outside, 0, &graph), MPI_ERR_TOPOLOGY);
  FAILS(MPI_Graph_create(MPI_COMM_WORLD, 1, index, NULL, 0, &graph), MPI_ERR_ARG);
  FAILS(MPI_Graph_create(MPI_COMM_WORLD, -1, index, edges, 0, &graph), MPI_ERR_COUNT);
  FAILS(MPI_Graph_map(MPI_COMM_WORLD, 1, minus, edges, &value), MPI_ERR_TOPOLOGY);
  if (size > 1) FAILS(MPI_Graph_map(MPI_COMM_WORLD, 2, falling, edges, &value), MPI_ERR_TOPOLOGY);
  FAILS(MPI_Graphdims_get(MPI_COMM_WORLD, &value, &other), MPI_ERR_TOPOLOGY);
  FAILS(MPI_Graph_neighbors_count(MPI_COMM_WORLD, 0, &value), MPI_ERR_TOPOLOGY);
  FAILS(MPI_Dist_graph_neighbors_count(MPI_COMM_WORLD, &value, &other, &more), MPI_ERR_TOPOLOGY);
  FAILS(MPI_Dist_graph_neighbors(MPI_COMM_WORLD, 1, &value, &other, 0, &more, &more), MPI_ERR_TOPOLOGY);
  MPI_Graph_create(MPI_COMM_WORLD, 1, index, edges, 0, &graph);
  if (graph != MPI_COMM_NULL) {
    MPI_Comm_set_errhandler(graph, MPI_ERRORS_RETURN);
    FAILS(MPI_Graph_get(graph, 0, 1, &value, &other), MPI_ERR_ARG);
    FAILS(MPI_Graph_neighbors(graph, 1, 1, &value), MPI_ERR_RANK);
    FAILS(MPI_Graph_neighbors(graph, 0, 0, &value), MPI_ERR_ARG);
    MPI_Comm_free(&graph);
  }
  FAILS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, outside, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED,
                                       MPI_INFO_NULL, 0, &graph),
        MPI_ERR_RANK);
  FAILS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, edges, weights, 0, NULL, weights, MPI_INFO_NULL, 0, &graph),
        MPI_ERR_ARG);
  FAILS(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, edges, minus, edges, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph),
        MPI_ERR_ARG);
  FAILS(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, edges, index, outside, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph),
        MPI_ERR_RANK);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  shared_graph(world_size());
  shared_graph((world_size() + 1) / 2);
  shared_graph(0);
  for (int is_weighted = 0; is_weighted < 2; ++is_weighted) {
    distributed_graph(is_weighted);
    adjacent_graph(is_weighted);
  }
  errors();
  return finish();
}
