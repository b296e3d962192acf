/* ranks: 1 2 3 5 8 12
 * Collectives over neighbours: a halo of columns on a grid, edges named by others, ranks without neighbours,
 * nonblocking ones beside messages; and what is refused. tests/collectives has them on every topology and size. */
#include "check.h"

#include <string.h>

enum { width = 6, height = 5, most = 12 };

/* Every rank has height rows of width elements; those at the rim are the neighbours'. */
static int element_of(int owner, int row, int column) { return owner * 10000 + row * 100 + column; }

static void check_halo(int (*field)[width], int rank, const int* neighbours) {
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      const int vertical = row == 0 ? 0 : row == height - 1 ? 1 : -1;
      const int horizontal = column == 0 ? 2 : column == width - 1 ? 3 : -1;
      int owner = rank, of_row = row, of_column = column;
      if (vertical >= 0 && horizontal < 0) owner = neighbours[vertical], of_row = vertical == 0 ? height - 2 : 1;
      if (horizontal >= 0 && vertical < 0) owner = neighbours[horizontal], of_column = horizontal == 2 ? width - 2 : 1;
      const int untouched = (vertical >= 0 && horizontal >= 0) || owner == MPI_PROC_NULL;
      CHECK_INT(field[row][column], untouched ? -1 : element_of(owner, of_row, of_column));
    }
}

/* Rows that lie together, columns that do not; on the other side of an edge there is nobody, and all stays as it is. */
static void halo(int is_nonblocking, int periods_0, int periods_1) {
  int dims[2] = {0, 0}, field[height][width], neighbours[4], rank;
  const int periods[2] = {periods_0, periods_1}, counts[4] = {1, 1, 1, 1};
  MPI_Comm grid;
  MPI_Datatype row, column, types[4];
  MPI_Aint out[4], in[4], base;
  MPI_Request request;
  MPI_Dims_create(world_size(), 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_shift(grid, 0, 1, &neighbours[0], &neighbours[1]);
  MPI_Cart_shift(grid, 1, 1, &neighbours[2], &neighbours[3]);
  MPI_Type_contiguous(width - 2, MPI_INT, &row);
  MPI_Type_vector(height - 2, 1, width, MPI_INT, &column);
  MPI_Type_commit(&row);
  MPI_Type_commit(&column);
  int* const from[4] = {&field[1][1], &field[height - 2][1], &field[1][1], &field[1][width - 2]};
  int* const to[4] = {&field[0][1], &field[height - 1][1], &field[1][0], &field[1][width - 1]};
  MPI_Get_address(field, &base);
  for (int i = 0; i < 4; ++i) {
    MPI_Get_address(from[i], &out[i]);
    MPI_Get_address(to[i], &in[i]);
    if (!is_nonblocking) out[i] -= base, in[i] -= base;
    types[i] = i < 2 ? row : column;
  }
  memset(field, 0xff, sizeof field);
  for (int r = 1; r < height - 1; ++r)
    for (int c = 1; c < width - 1; ++c) field[r][c] = element_of(rank, r, c);
  if (is_nonblocking) {
    MPI_Ineighbor_alltoallw(MPI_BOTTOM, counts, out, types, MPI_BOTTOM, counts, in, types, grid, &request);
    MPI_Type_free(&row);
    MPI_Type_free(&column);
    MPI_Comm_free(&grid);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Neighbor_alltoallw(field, counts, out, types, field, counts, in, types, grid);
    MPI_Type_free(&row);
    MPI_Type_free(&column);
    MPI_Comm_free(&grid);
  }
  check_halo(field, rank, neighbours);
}

/* Edges that others name come in an order that the library tells. */
static void edges_named_by_others(void) {
  const int n = world_size(), rank = world_rank();
  int source = (rank + 1) % n, degree = 3, destinations[3] = {rank, (rank + 2) % n, rank}, in, out, weighted;
  int sources[3 * most], targets[3 * most], mine[2], all[6 * most], counts[3 * most], places[3 * most];
  MPI_Comm graph;
  MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &source, &degree, destinations, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
  CHECK_INT(in, 3);
  CHECK_INT(out, 3);
  MPI_Dist_graph_neighbors(graph, in, sources, MPI_UNWEIGHTED, out, targets, MPI_UNWEIGHTED);
  mine[0] = element(rank, 1, 0), mine[1] = element(rank, 1, 1);
  MPI_Neighbor_allgather(mine, 2, MPI_INT, all, 2, MPI_INT, graph);
  for (int i = 0; i < in; ++i) check_elements(all + 2 * i, 2, sources[i], 1);
  memset(all, 0xff, sizeof all);
  for (int i = 0; i < in; ++i) counts[i] = sources[i] % 3, places[i] = 2 * (in - 1 - i);
  MPI_Neighbor_allgatherv(mine, rank % 3, MPI_INT, all, counts, places, MPI_INT, graph);
  for (int i = 0; i < in; ++i) check_elements(all + places[i], counts[i], sources[i], 1);
  for (int i = 0; i < in; ++i)
    if (counts[i] == 0) CHECK_INT(all[places[i]], -1);
  MPI_Comm_free(&graph);
}

/* Nobody to send to or to receive from: nothing is looked at. */
static void no_neighbours(void) {
  MPI_Comm graph;
  MPI_Request requests[5];
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &graph);
  MPI_Neighbor_allgather(NULL, 1, MPI_INT, NULL, 1, MPI_INT, graph);
  MPI_Neighbor_allgatherv(NULL, 1, MPI_INT, NULL, NULL, NULL, MPI_INT, graph);
  MPI_Neighbor_alltoall(NULL, 1, MPI_INT, NULL, 1, MPI_INT, graph);
  MPI_Neighbor_alltoallv(NULL, NULL, NULL, MPI_INT, NULL, NULL, NULL, MPI_INT, graph);
  MPI_Neighbor_alltoallw(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, graph);
  MPI_Ineighbor_allgather(NULL, 1, MPI_INT, NULL, 1, MPI_INT, graph, &requests[0]);
  MPI_Ineighbor_allgatherv(NULL, 1, MPI_INT, NULL, NULL, NULL, MPI_INT, graph, &requests[1]);
  MPI_Ineighbor_alltoall(NULL, 1, MPI_INT, NULL, 1, MPI_INT, graph, &requests[2]);
  MPI_Ineighbor_alltoallv(NULL, NULL, NULL, MPI_INT, NULL, NULL, NULL, MPI_INT, graph, &requests[3]);
  MPI_Ineighbor_alltoallw(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, graph, &requests[4]);
  MPI_Waitall(5, requests, MPI_STATUSES_IGNORE);
  MPI_Comm_free(&graph);
}

/* On a line with ends: several at once, completed in any order, beside messages of the program's with any tag. */
static void several_at_once(void) {
  const int n = world_size(), zero = 0, counts[2] = {2, 2}, places[2] = {2, 0};
  int rank, before, after, out[4], gathered[2], gatheredv[4], swapped[4], swappedv[4], token = -1, done = 0, index;
  MPI_Comm line;
  MPI_Request requests[6];
  MPI_Status status;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &n, &zero, 0, &line);
  MPI_Comm_rank(line, &rank);
  MPI_Cart_shift(line, 0, 1, &before, &after);
  memset(gathered, 0xff, sizeof gathered);
  memset(gatheredv, 0xff, sizeof gatheredv);
  memset(swapped, 0xff, sizeof swapped);
  memset(swappedv, 0xff, sizeof swappedv);
  for (int i = 0; i < 4; ++i) out[i] = element(rank, 3, i);
  MPI_Irecv(&token, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, line, &requests[0]);
  MPI_Ineighbor_alltoall(out, 2, MPI_INT, swapped, 2, MPI_INT, line, &requests[1]);
  MPI_Ineighbor_allgather(out, 1, MPI_INT, gathered, 1, MPI_INT, line, &requests[2]);
  MPI_Ineighbor_alltoallv(out, counts, places, MPI_INT, swappedv, counts, places, MPI_INT, line, &requests[3]);
  MPI_Ineighbor_allgatherv(out, 2, MPI_INT, gatheredv, counts, places, MPI_INT, line, &requests[4]);
  MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % n, 8, line, &requests[5]);
  for (; done < 6; ++done) {
    MPI_Waitany(6, requests, &index, &status);
    if (index == 0) check_status(&status, (rank + n - 1) % n, 8, 1);
  }
  MPI_Waitany(6, requests, &index, MPI_STATUS_IGNORE);
  CHECK_INT(index, MPI_UNDEFINED);
  CHECK_INT(token, (rank + n - 1) % n);
  for (int side = 0; side < 2; ++side) {
    const int from = side == 0 ? before : after;
    const int none = from == MPI_PROC_NULL;
    CHECK_INT(gathered[side], none ? -1 : element(from, 3, 0));
    for (int i = 0; i < 2; ++i) {
      CHECK_INT(swapped[2 * side + i], none ? -1 : element(from, 3, 2 * !side + i));
      CHECK_INT(swappedv[places[side] + i], none ? -1 : element(from, 3, places[!side] + i));
      CHECK_INT(gatheredv[places[side] + i], none ? -1 : element(from, 3, i));
    }
  }
  MPI_Comm_free(&line);
}

static int a[8], b[8];
static const int counts[2] = {1, 1}, negative[2] = {1, -1}, places[2] = {0, 1};
static const MPI_Aint bytes[2] = {0, 4};
static const MPI_Datatype types[2] = {MPI_INT, MPI_INT}, no_types[2] = {MPI_INT, MPI_DATATYPE_NULL};

static void without_neighbours_or_group(MPI_Comm comm, int error) {
  MPI_Request request;
  FAILS(MPI_Neighbor_allgather(a, 1, MPI_INT, b, 1, MPI_INT, comm), error);
  FAILS(MPI_Neighbor_allgatherv(a, 1, MPI_INT, b, counts, places, MPI_INT, comm), error);
  FAILS(MPI_Neighbor_alltoall(a, 1, MPI_INT, b, 1, MPI_INT, comm), error);
  FAILS(MPI_Neighbor_alltoallv(a, counts, places, MPI_INT, b, counts, places, MPI_INT, comm), error);
  FAILS(MPI_Neighbor_alltoallw(a, counts, bytes, types, b, counts, bytes, types, comm), error);
  FAILS(MPI_Ineighbor_allgather(a, 1, MPI_INT, b, 1, MPI_INT, comm, &request), error);
  FAILS(MPI_Ineighbor_allgatherv(a, 1, MPI_INT, b, counts, places, MPI_INT, comm, &request), error);
  FAILS(MPI_Ineighbor_alltoall(a, 1, MPI_INT, b, 1, MPI_INT, comm, &request), error);
  FAILS(MPI_Ineighbor_alltoallv(a, counts, places, MPI_INT, b, counts, places, MPI_INT, comm, &request), error);
  FAILS(MPI_Ineighbor_alltoallw(a, counts, bytes, types, b, counts, bytes, types, comm, &request), error);
  FAILS(MPI_Neighbor_allgather_init(a, 1, MPI_INT, b, 1, MPI_INT, comm, MPI_INFO_NULL, &request), error);
  FAILS(MPI_Neighbor_allgatherv_init(a, 1, MPI_INT, b, counts, places, MPI_INT, comm, MPI_INFO_NULL, &request), error);
  FAILS(MPI_Neighbor_alltoall_init(a, 1, MPI_INT, b, 1, MPI_INT, comm, MPI_INFO_NULL, &request), error);
  FAILS(MPI_Neighbor_alltoallv_init(a, counts, places, MPI_INT, b, counts, places, MPI_INT, comm, MPI_INFO_NULL,
                                    &request),
        error);
  FAILS(MPI_Neighbor_alltoallw_init(a, counts, bytes, types, b, counts, bytes, types, comm, MPI_INFO_NULL, &request),
        error);
}

static void wrong_arguments(MPI_Comm line) {
  MPI_Request request;
  FAILS(MPI_Neighbor_allgather(MPI_IN_PLACE, 1, MPI_INT, b, 1, MPI_INT, line), MPI_ERR_BUFFER);
  FAILS(MPI_Neighbor_allgather(a, -1, MPI_INT, b, 1, MPI_INT, line), MPI_ERR_COUNT);
  FAILS(MPI_Neighbor_allgatherv(a, 1, MPI_INT, b, negative, places, MPI_INT, line), MPI_ERR_COUNT);
  FAILS(MPI_Neighbor_allgatherv(a, 1, MPI_INT, b, counts, NULL, MPI_INT, line), MPI_ERR_ARG);
  FAILS(MPI_Neighbor_alltoall(a, 1, MPI_DATATYPE_NULL, b, 1, MPI_INT, line), MPI_ERR_TYPE);
  FAILS(MPI_Neighbor_alltoall(a, 1, MPI_INT, NULL, 1, MPI_INT, line), MPI_ERR_BUFFER);
  FAILS(MPI_Neighbor_alltoallv(NULL, counts, places, MPI_INT, b, counts, places, MPI_INT, line), MPI_ERR_BUFFER);
  FAILS(MPI_Neighbor_alltoallv(a, NULL, places, MPI_INT, b, counts, places, MPI_INT, line), MPI_ERR_ARG);
  FAILS(MPI_Neighbor_alltoallw(a, counts, bytes, no_types, b, counts, bytes, types, line), MPI_ERR_TYPE);
  FAILS(MPI_Neighbor_alltoallw(MPI_IN_PLACE, counts, bytes, types, b, counts, bytes, types, line), MPI_ERR_BUFFER);
  FAILS(MPI_Ineighbor_allgather(a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, line, &request), MPI_ERR_BUFFER);
  FAILS(MPI_Ineighbor_allgatherv(a, 1, MPI_INT, b, NULL, places, MPI_INT, line, &request), MPI_ERR_ARG);
  FAILS(MPI_Ineighbor_alltoall(a, 1, MPI_INT, b, 1, MPI_INT, line, NULL), MPI_ERR_ARG);
  FAILS(MPI_Ineighbor_alltoallv(a, counts, places, MPI_INT, b, negative, places, MPI_INT, line, &request),
        MPI_ERR_COUNT);
  FAILS(MPI_Ineighbor_alltoallw(a, counts, bytes, types, b, counts, bytes, no_types, line, &request), MPI_ERR_TYPE);
  FAILS(MPI_Neighbor_allgather_init(a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, line, MPI_INFO_NULL, &request),
        MPI_ERR_BUFFER);
  FAILS(MPI_Neighbor_allgatherv_init(a, 1, MPI_INT, b, NULL, places, MPI_INT, line, MPI_INFO_NULL, &request),
        MPI_ERR_ARG);
  FAILS(MPI_Neighbor_alltoall_init(a, 1, MPI_INT, b, 1, MPI_INT, line, MPI_INFO_NULL, NULL), MPI_ERR_ARG);
  FAILS(MPI_Neighbor_alltoallv_init(a, counts, places, MPI_INT, b, negative, places, MPI_INT, line, MPI_INFO_NULL,
                                    &request),
        MPI_ERR_COUNT);
  FAILS(MPI_Neighbor_alltoallw_init(a, counts, bytes, types, b, counts, bytes, no_types, line, MPI_INFO_NULL, &request),
        MPI_ERR_TYPE);
  if (world_size() > 1) { /* what comes is longer than the room for it */
    FAILS(MPI_Neighbor_allgather(a, 2, MPI_INT, b, 1, MPI_INT, line), MPI_ERR_TRUNCATE);
    FAILS(MPI_Neighbor_alltoallv(a, counts, places, MPI_INT, b, (int[2]){0, 0}, places, MPI_INT, line),
          MPI_ERR_TRUNCATE);
    MPI_Ineighbor_alltoall(a, 2, MPI_INT, b, 1, MPI_INT, line, &request);
    FAILS(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
  }
}

static void errors(void) {
  const int n = world_size(), zero = 0;
  MPI_Comm line, half, inter;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  without_neighbours_or_group(MPI_COMM_WORLD, MPI_ERR_TOPOLOGY);
  without_neighbours_or_group(MPI_COMM_NULL, MPI_ERR_COMM);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &n, &zero, 0, &line);
  MPI_Comm_set_errhandler(line, MPI_ERRORS_RETURN);
  wrong_arguments(line);
  MPI_Comm_free(&line);
  if (n == 1) return;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - world_rank() % 2, 4, &inter);
  MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
  without_neighbours_or_group(inter, MPI_ERR_COMM);
  MPI_Comm_free(&half);
  MPI_Comm_free(&inter);

  /* A graph that all ranks share has its edges both ways. */
  int index[most] = {1}, edge = 1;
  for (int i = 1; i < n; ++i) index[i] = 1;
  MPI_Graph_create(MPI_COMM_WORLD, n, index, &edge, 0, &line);
  MPI_Comm_set_errhandler(line, MPI_ERRORS_RETURN);
  if (world_rank() == 0) FAILS(MPI_Neighbor_alltoall(a, 1, MPI_INT, b, 1, MPI_INT, line), MPI_ERR_TOPOLOGY);
  MPI_Comm_free(&line);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int is_nonblocking = 0; is_nonblocking < 2; ++is_nonblocking)
    for (int periods = 0; periods < 4; ++periods) halo(is_nonblocking, periods & 1, periods & 2);
  edges_named_by_others();
  no_neighbours();
  several_at_once();
  errors();
  return finish();
}
