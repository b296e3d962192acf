/* ranks: 1 5
 * Distributed graphs of edges chosen at random and told by any rank, with and without weights, loops and parallel edges
 * among them: every rank finds its own. Communicators split by colours and keys chosen at random. */
#include "check.h"

enum { tests = 40, most_ranks = 5, most_edges = 4 * most_ranks };

typedef struct {
  int source, destination, weight, teller;
} Edge;

static Edge edges[most_edges];
static int edge_count, is_weighted;

/* The same on all ranks. */
static unsigned seed;
static int below(int n) {
  seed = seed * 1103515245 + 12345;
  return (int)((seed >> 16) % (unsigned)n);
}

static void choose_edges(int test) {
  seed = (unsigned)test + 100;
  is_weighted = below(2);
  edge_count = below(4 * world_size() + 1);
  for (int i = 0; i < edge_count; ++i) {
    edges[i].source = below(world_size());
    edges[i].destination = below(world_size());
    edges[i].weight = is_weighted ? below(10) : 0;
    edges[i].teller = below(world_size());
  }
}

static const int* weights_or_none(const int* weights, int count) {
  if (!is_weighted) return MPI_UNWEIGHTED;
  return count > 0 ? weights : MPI_WEIGHTS_EMPTY;
}

/* Each edge alone, or those with the same source together, after a source without any. */
static MPI_Comm make(int is_grouped) {
  int sources[most_edges + 1], degrees[most_edges + 1], destinations[most_edges], weights[most_edges];
  int count = 0, told = 0;
  MPI_Comm graph;
  sources[count] = world_rank();
  degrees[count++] = 0;
  for (int source = 0; source < world_size(); ++source)
    for (int i = 0, is_new = 1; i < edge_count; ++i) {
      if (edges[i].teller != world_rank() || edges[i].source != source) continue;
      if (is_new || !is_grouped) {
        sources[count] = source;
        degrees[count++] = 0;
      }
      is_new = 0;
      ++degrees[count - 1];
      destinations[told] = edges[i].destination;
      weights[told++] = edges[i].weight;
    }
  MPI_Dist_graph_create(MPI_COMM_WORLD, count, sources, degrees, destinations, weights_or_none(weights, told),
                        MPI_INFO_NULL, 0, &graph);
  return graph;
}

/* How often a neighbour with this weight is among those found, and among the edges. */
static int found(const int* ranks, const int* weights, int count, int rank, int weight) {
  int times = 0;
  for (int i = 0; i < count; ++i) times += ranks[i] == rank && (!is_weighted || weights[i] == weight);
  return times;
}
static int wanted(int is_in, int rank, int weight) {
  int times = 0;
  for (int i = 0; i < edge_count; ++i) {
    const int here = is_in ? edges[i].destination : edges[i].source;
    const int there = is_in ? edges[i].source : edges[i].destination;
    times += here == world_rank() && there == rank && edges[i].weight == weight;
  }
  return times;
}

static void expect_edges(MPI_Comm graph) {
  int in, out, flag, kind, total[2] = {0, 0};
  int sources[most_edges], in_weights[most_edges], destinations[most_edges], out_weights[most_edges];
  MPI_Topo_test(graph, &kind);
  CHECK_INT(kind, MPI_DIST_GRAPH);
  MPI_Dist_graph_neighbors_count(graph, &in, &out, &flag);
  CHECK_INT(flag != 0, is_weighted);
  MPI_Dist_graph_neighbors(graph, in, sources, is_weighted ? in_weights : MPI_UNWEIGHTED, out, destinations,
                           is_weighted ? out_weights : MPI_UNWEIGHTED);
  for (int rank = 0; rank < world_size(); ++rank)
    for (int weight = 0; weight < (is_weighted ? 10 : 1); ++weight) {
      CHECK_INT(found(sources, in_weights, in, rank, weight), wanted(1, rank, weight));
      CHECK_INT(found(destinations, out_weights, out, rank, weight), wanted(0, rank, weight));
      total[0] += wanted(1, rank, weight);
      total[1] += wanted(0, rank, weight);
    }
  CHECK_INT(in, total[0]);
  CHECK_INT(out, total[1]);
}

/* From what each rank finds in another. */
static MPI_Comm made_of_neighbours(MPI_Comm graph) {
  int in, out, flag, sources[most_edges], in_weights[most_edges], destinations[most_edges], out_weights[most_edges];
  MPI_Comm copy;
  MPI_Dist_graph_neighbors_count(graph, &in, &out, &flag);
  MPI_Dist_graph_neighbors(graph, in, sources, in_weights, out, destinations, out_weights);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in, sources, weights_or_none(in_weights, in), out, destinations,
                                 weights_or_none(out_weights, out), MPI_INFO_NULL, 0, &copy);
  return copy;
}

static void split_at_random(void) {
  int colors[most_ranks], keys[most_ranks], size = 0, rank = 0, value;
  const int me = world_rank();
  MPI_Comm part;
  for (int i = 0; i < world_size(); ++i) {
    colors[i] = below(4);
    keys[i] = below(3) - 1;
  }
  MPI_Comm_split(MPI_COMM_WORLD, colors[me] == 3 ? MPI_UNDEFINED : colors[me], keys[me], &part);
  CHECK((part == MPI_COMM_NULL) == (colors[me] == 3));
  if (part == MPI_COMM_NULL) return;
  for (int i = 0; i < world_size(); ++i) {
    if (colors[i] != colors[me]) continue;
    ++size;
    rank += keys[i] < keys[me] || (keys[i] == keys[me] && i < me);
  }
  MPI_Comm_size(part, &value);
  CHECK_INT(value, size);
  MPI_Comm_rank(part, &value);
  CHECK_INT(value, rank);
  MPI_Comm_free(&part);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int test = 0; test < tests; ++test) {
    MPI_Comm graph, adjacent, copy;
    choose_edges(test);
    graph = make(test % 2);
    expect_edges(graph);
    adjacent = made_of_neighbours(graph);
    expect_edges(adjacent);
    MPI_Comm_dup(adjacent, &copy);
    MPI_Comm_free(&adjacent);
    expect_edges(copy);
    split_at_random();
    MPI_Comm_free(&graph);
    MPI_Comm_free(&copy);
  }
  return finish();
}
