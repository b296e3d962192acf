/* ranks: 1 2 4 6
 * Which neighbour is which: on a grid the one below comes before the one above in each dimension, also where both are
 * the same rank, and what is sent to the one is received from the other. Edges between the same two ranks keep their
 * order. */
#include "check.h"

#include <string.h>

enum { dims_max = 3, most = 2 * dims_max };

/* What is at side `side` after each rank has sent to each side. */
static void expect_sides(MPI_Comm grid, int sides, const int* neighbours) {
  int rank, out[most], in[most];
  MPI_Comm_rank(grid, &rank);
  for (int i = 0; i < sides; ++i) out[i] = element(rank, 0, i), in[i] = -1;
  MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, grid);
  for (int i = 0; i < sides; ++i)
    CHECK_INT(in[i], neighbours[i] == MPI_PROC_NULL ? -1 : element(neighbours[i], 0, i ^ 1));
  for (int i = 0; i < sides; ++i) in[i] = -1;
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, grid);
  for (int i = 0; i < sides; ++i) CHECK_INT(in[i], neighbours[i] == MPI_PROC_NULL ? -1 : neighbours[i]);
}

static void grid(int ndims, int is_periodic) {
  int dims[dims_max] = {0}, periods[dims_max], neighbours[most], remains[dims_max] = {1, 0, 0}, along[2];
  MPI_Comm made, copy, part;
  for (int d = 0; d < ndims; ++d) periods[d] = is_periodic;
  MPI_Dims_create(world_size(), ndims, dims);
  MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, periods, 1, &made);
  for (int d = 0; d < ndims; ++d) MPI_Cart_shift(made, d, 1, &neighbours[2 * d], &neighbours[2 * d + 1]);
  expect_sides(made, 2 * ndims, neighbours);
  MPI_Comm_dup(made, &copy);
  expect_sides(copy, 2 * ndims, neighbours);
  MPI_Cart_sub(made, remains, &part);
  MPI_Cart_shift(part, 0, 1, &along[0], &along[1]);
  expect_sides(part, 2, along);
  MPI_Comm_free(&part);
  remains[0] = 0;
  MPI_Cart_sub(made, remains, &part); /* a point has no neighbours */
  expect_sides(part, 0, NULL);
  MPI_Comm_free(&part);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&made);
}

/* A ring in which everybody knows all edges: neighbours come in the order of the edges. */
static void shared_ring(void) {
  const int n = world_size(), before = (world_rank() + n - 1) % n, after = (world_rank() + 1) % n;
  int index[8], edges[16], in[2] = {-1, -1}, out[2];
  MPI_Comm ring;
  for (int i = 0; i < n; ++i) index[i] = 2 * i + 2, edges[2 * i] = (i + n - 1) % n, edges[2 * i + 1] = (i + 1) % n;
  MPI_Graph_create(MPI_COMM_WORLD, n, index, edges, 0, &ring);
  for (int i = 0; i < 2; ++i) out[i] = element(world_rank(), 1, i);
  MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, ring);
  CHECK_INT(in[0], element(before, 1, 0));
  CHECK_INT(in[1], element(after, 1, 0));
  MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring);
  if (n > 2) { /* else both edges lead to the same rank */
    CHECK_INT(in[0], element(before, 1, 1));
    CHECK_INT(in[1], element(after, 1, 0));
  }
  MPI_Comm_free(&ring);
}

/* Several edges from a rank to itself, some of the same weight. */
static void loops(void) {
  const int me = world_rank(), ends[3] = {me, me, me}, weights[3] = {0, 7, 7}, out[3] = {1, 2, 3};
  int in[3] = {0, 0, 0}, ranks[3], found[3], other[3];
  MPI_Comm graph;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 3, ends, weights, 3, ends, weights, MPI_INFO_NULL, 0, &graph);
  MPI_Dist_graph_neighbors(graph, 3, ranks, found, 3, ranks, other);
  CHECK(memcmp(found, weights, sizeof found) == 0 && memcmp(other, weights, sizeof other) == 0);
  MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, graph);
  CHECK(memcmp(in, out, sizeof in) == 0);
  MPI_Comm_free(&graph);
}

/* Distances and coordinates at the ends of what an int holds, and another order of ranks. */
static void far_away(void) {
  const int n = world_size(), periodic = 1, least = -2147483647 - 1, far = 2147483647;
  int rank, below, above, place;
  MPI_Comm reversed, ring;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank(), &reversed);
  MPI_Cart_create(reversed, 1, &n, &periodic, 0, &ring);
  MPI_Comm_rank(ring, &rank);
  CHECK_INT(rank, n - 1 - world_rank()); /* without leave to reorder, ranks stay */
  MPI_Cart_shift(ring, 0, far, &below, &above);
  CHECK_INT(above, (rank + far % n) % n);
  CHECK_INT(below, ((rank - far % n) % n + n) % n);
  MPI_Cart_shift(ring, 0, least, &below, &above);
  CHECK_INT(above, ((rank + least % n) % n + n) % n);
  MPI_Cart_rank(ring, &least, &place);
  CHECK_INT(place, (least % n + n) % n);
  MPI_Comm_free(&ring);
  MPI_Comm_free(&reversed);
}

static void two_groups(void) {
  const int one = 1, zero = 0;
  int kind = -1;
  MPI_Comm half, inter, made;
  if (world_size() == 1) return;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - world_rank() % 2, 1, &inter);
  MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
  MPI_Topo_test(inter, &kind);
  CHECK_INT(kind, MPI_UNDEFINED);
  FAILS(MPI_Cart_create(inter, 1, &one, &zero, 0, &made), MPI_ERR_COMM);
  FAILS(MPI_Graph_create(inter, 1, &one, &zero, 0, &made), MPI_ERR_COMM);
  FAILS(MPI_Dist_graph_create_adjacent(inter, 1, &zero, MPI_UNWEIGHTED, 1, &zero, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                       &made),
        MPI_ERR_COMM);
  FAILS(MPI_Dist_graph_create(inter, 1, &zero, &one, &zero, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made), MPI_ERR_COMM);
  MPI_Comm_free(&half);
  MPI_Comm_free(&inter);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int ndims = 1; ndims <= dims_max; ++ndims)
    for (int is_periodic = 0; is_periodic < 2; ++is_periodic) grid(ndims, is_periodic);
  shared_ring();
  loops();
  far_away();
  two_groups();
  return finish();
}
