// The distances of all vertices of a graph from vertex 0, by a search that goes outwards a level at a time. Vertices
// are dealt to ranks in blocks; a rank talks only to those it shares edges with, through a communicator that has the
// ranks' own graph.   graph_search [VERTICES]
// Right if every rank's distances are those that it finds in the whole graph alone.
#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { STRIDES = 3, DEGREE = 2 * STRIDES, UNREACHED = -1 };
static const int strides[STRIDES] = {1, 29, 333};  // edges lead so far along a ring of vertices

static int vertices, rank, ranks;

// Of the possible edges there are two thirds, in no order.
static int has_edge(int from, int stride) {
  unsigned mixed = (unsigned)from * 2654435761u ^ (unsigned)stride * 40503u;
  mixed = (mixed ^ (mixed >> 15)) * 2246822519u;
  return (mixed >> 16) % 3 != 0;
}

static int neighbours_of(int vertex, int found[DEGREE]) {
  int count = 0;
  for (int i = 0; i < STRIDES; ++i) {
    const int before = (vertex + vertices - strides[i]) % vertices;
    if (has_edge(vertex, strides[i])) found[count++] = (vertex + strides[i]) % vertices;
    if (has_edge(before, strides[i])) found[count++] = before;
  }
  return count;
}

static int first_of(int of_rank) { return (int)((long)vertices * of_rank / ranks); }
static int owner_of(int vertex) { return (int)(((long)(vertex + 1) * ranks - 1) / vertices); }

// The ranks that this one shares edges with, and where each of them stands among those, by rank.
static MPI_Comm make_graph(int* peers, int* place_of, int* count) {
  int others[DEGREE];
  for (int peer = 0; peer < ranks; ++peer) place_of[peer] = -1;
  *count = 0;
  for (int vertex = first_of(rank); vertex < first_of(rank + 1); ++vertex)
    for (int i = neighbours_of(vertex, others) - 1; i >= 0; --i) {
      const int peer = owner_of(others[i]);
      if (peer == rank || place_of[peer] >= 0) continue;
      place_of[peer] = *count;
      peers[(*count)++] = peer;
    }
  MPI_Comm graph;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, *count, peers, MPI_UNWEIGHTED, *count, peers, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &graph);
  return graph;
}

typedef struct {
  int *vertices, count;
} List;

// What is on its way: for each peer, the vertices that were reached over an edge to it.
typedef struct {
  MPI_Comm graph;
  int peers;
  int *place_of, *out_counts, *in_counts, *out_begins, *in_begins;
  List *out, in;
} Exchange;

static Exchange make_exchange(int most) {
  Exchange all = {0};
  int* peers = malloc(ranks * sizeof *peers);
  all.place_of = malloc(ranks * sizeof(int));
  all.graph = make_graph(peers, all.place_of, &all.peers);
  all.out = calloc(all.peers + 1, sizeof *all.out);
  for (int i = 0; i < all.peers; ++i) all.out[i].vertices = malloc(most * sizeof(int));
  int** const arrays[] = {&all.out_counts, &all.in_counts, &all.out_begins, &all.in_begins};
  for (int i = 0; i < 4; ++i) *arrays[i] = calloc(all.peers + 1, sizeof(int));
  all.in.vertices = malloc((all.peers + 1) * most * sizeof(int));
  free(peers);
  return all;
}

static void swap_with_neighbours(Exchange* all, int* packed) {
  int begin = 0;
  for (int i = 0; i < all->peers; ++i) {
    all->out_begins[i] = begin;
    all->out_counts[i] = all->out[i].count;
    for (int k = 0; k < all->out[i].count; ++k) packed[begin++] = all->out[i].vertices[k];
    all->out[i].count = 0;
  }
  MPI_Neighbor_alltoall(all->out_counts, 1, MPI_INT, all->in_counts, 1, MPI_INT, all->graph);
  all->in.count = 0;
  for (int i = 0; i < all->peers; ++i) {
    all->in_begins[i] = all->in.count;
    all->in.count += all->in_counts[i];
  }
  MPI_Neighbor_alltoallv(packed, all->out_counts, all->out_begins, MPI_INT, all->in.vertices, all->in_counts,
                         all->in_begins, MPI_INT, all->graph);
}

static void reach(int vertex, int level, int* distance, List* next) {
  int* known = &distance[vertex - first_of(rank)];
  if (*known != UNREACHED) return;
  *known = level;
  next->vertices[next->count++] = vertex;
}

// The vertices next to those of the last level: this rank's own at once, others' by their ranks.
static void go_on(const List* last, int level, int* distance, List* next, Exchange* all) {
  int others[DEGREE], edges = 0;
  for (int i = 0; i < last->count; ++i) {
    const int count = neighbours_of(last->vertices[i], others);
    edges += count;
    for (int k = 0; k < count; ++k) {
      const int owner = owner_of(others[k]);
      if (owner == rank) {
        reach(others[k], level, distance, next);
      } else {
        List* out = &all->out[all->place_of[owner]];
        out->vertices[out->count++] = others[k];
      }
    }
  }
  hindcast_compute_bytes(16.0 * edges);  // an edge and what is known of its end
}

static int search(int* distance, int mine, Exchange* all) {
  const int most = mine * DEGREE + 1;
  List last = {malloc(most * sizeof(int)), 0}, next = {malloc(most * sizeof(int)), 0};
  int* packed = malloc(most * sizeof(int));
  if (rank == owner_of(0)) reach(0, 0, distance, &last);
  int level = 0;
  for (int left = 1; left > 0;) {
    next.count = 0;
    go_on(&last, ++level, distance, &next, all);
    swap_with_neighbours(all, packed);
    for (int i = 0; i < all->in.count; ++i) reach(all->in.vertices[i], level, distance, &next);
    hindcast_compute_bytes(12.0 * all->in.count);
    MPI_Allreduce(&next.count, &left, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    const List empty = last;
    last = next;
    next = empty;
  }
  free(last.vertices);
  free(next.vertices);
  free(packed);
  return level - 1;
}

static int* search_alone(void) {
  int *distance = malloc(vertices * sizeof(int)), *queue = malloc(vertices * sizeof(int)), others[DEGREE];
  for (int vertex = 0; vertex < vertices; ++vertex) distance[vertex] = UNREACHED;
  distance[queue[0] = 0] = 0;
  for (int at = 0, end = 1; at < end; ++at)
    for (int i = neighbours_of(queue[at], others) - 1; i >= 0; --i)
      if (distance[others[i]] == UNREACHED) {
        distance[others[i]] = distance[queue[at]] + 1;
        queue[end++] = others[i];
      }
  free(queue);
  return distance;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  vertices = argc > 1 ? atoi(argv[1]) : 20000;
  const int first = first_of(rank), mine = first_of(rank + 1) - first;
  int* distance = malloc((mine + 1) * sizeof(int));
  for (int i = 0; i < mine; ++i) distance[i] = UNREACHED;
  Exchange all = make_exchange(mine * DEGREE + 1);

  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  const int levels = search(distance, mine, &all);
  const double elapsed = MPI_Wtime() - start;

  int *should = search_alone(), faults[3] = {0, all.peers, 0};
  for (int i = 0; i < mine; ++i) {
    faults[0] += distance[i] != should[first + i];
    faults[2] += distance[i] != UNREACHED;
  }
  int sums[3], most_peers;
  MPI_Allreduce(faults, sums, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce(&all.peers, &most_peers, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d of %d vertices reached on %d ranks, %d levels: %s, %.3f us a level; at most %d neighbours of a rank\n",
           sums[2], vertices, ranks, levels, sums[0] == 0 ? "right" : "WRONG", elapsed / levels * 1e6, most_peers);
  MPI_Comm_free(&all.graph);
  MPI_Finalize();
  return sums[0] != 0;
}
