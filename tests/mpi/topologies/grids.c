/* ranks: 1 2 6 8 33
 * Cartesian topologies: places, shifts and parts of grids, held to the definition for every rank. */
#include "check.h"

enum { dims_max = 6 };

static int product_of(int count, const int* dims) {
  int product = 1;
  for (int i = 0; i < count; ++i) product *= dims[i];
  return product;
}

static void choose(int nodes, int ndims, const int* given, const int* expected) {
  int dims[dims_max];
  for (int i = 0; i < ndims; ++i) dims[i] = given == NULL ? 0 : given[i];
  MPI_Dims_create(nodes, ndims, dims);
  CHECK_INT(product_of(ndims, dims), nodes);
  for (int i = 0; i < ndims; ++i) CHECK_INT(dims[i], expected[i]);
}

static void balanced_dims(void) {
  choose(6, 2, NULL, (int[]){3, 2});
  choose(7, 2, NULL, (int[]){7, 1});
  choose(12, 3, NULL, (int[]){3, 2, 2});
  choose(16, 2, NULL, (int[]){4, 4});
  choose(36, 3, NULL, (int[]){4, 3, 3});
  choose(60, 3, NULL, (int[]){5, 4, 3});
  choose(1, 3, NULL, (int[]){1, 1, 1});
  choose(65536, 4, NULL, (int[]){16, 16, 16, 16});
  choose(1000000007, 2, NULL, (int[]){1000000007, 1}); /* a prime */
  choose(6, 3, (int[]){0, 3, 0}, (int[]){2, 3, 1});
  choose(24, 3, (int[]){0, 2, 0}, (int[]){4, 2, 3});
  choose(6, 2, (int[]){2, 3}, (int[]){2, 3}); /* nothing to choose */
}

/* What is given need only divide the nodes. */
static void given_dims(void) {
  int fewer[] = {2, 1}, more[] = {2, 6};
  CHECK_INT(MPI_Dims_create(6, 2, fewer), MPI_SUCCESS);
  CHECK(fewer[0] == 2 && fewer[1] == 1);
  CHECK_INT(MPI_Dims_create(1, 0, NULL), MPI_SUCCESS);
  FAILS(MPI_Dims_create(6, 0, NULL), MPI_ERR_DIMS);
  FAILS(MPI_Dims_create(6, 2, more), MPI_ERR_DIMS);
}

static int wrapped(int place, int size) { return (place % size + size) % size; }

/* The rank at some distance along a dimension, by going through all ranks. */
static int neighbour(MPI_Comm grid, int ndims, const int* dims, const int* periods, int direction, int distance) {
  int mine[dims_max], other[dims_max], rank, size;
  MPI_Comm_rank(grid, &rank);
  MPI_Comm_size(grid, &size);
  MPI_Cart_coords(grid, rank, dims_max, mine);
  int place = mine[direction] + distance;
  if (!periods[direction] && (place < 0 || place >= dims[direction])) return MPI_PROC_NULL;
  mine[direction] = wrapped(place, dims[direction]);
  for (int r = 0; r < size; ++r) {
    int same = 1;
    MPI_Cart_coords(grid, r, ndims, other);
    for (int d = 0; d < ndims; ++d) same = same && other[d] == mine[d];
    if (same) return r;
  }
  return -99;
}

static void check_grid(MPI_Comm grid, int ndims, const int* dims, const int* periods) {
  int found = -1, found_dims[dims_max], found_periods[dims_max], mine[dims_max], rank, status;
  MPI_Topo_test(grid, &status);
  CHECK_INT(status, MPI_CART);
  MPI_Cartdim_get(grid, &found);
  CHECK_INT(found, ndims);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_get(grid, dims_max, found_dims, found_periods, mine);
  int expected = 0; /* the last dimension runs fastest */
  for (int d = 0; d < ndims; ++d) {
    CHECK_INT(found_dims[d], dims[d]);
    CHECK_INT(found_periods[d], periods[d]);
    expected = expected * dims[d] + mine[d];
  }
  CHECK_INT(rank, expected);
  for (int r = 0; r < product_of(ndims, dims); ++r) {
    int place[dims_max];
    MPI_Cart_coords(grid, r, ndims, place);
    for (int d = 0; d < ndims; ++d)
      if (periods[d]) place[d] += (r % 3 - 1) * dims[d]; /* around once, or once backwards */
    MPI_Cart_rank(grid, place, &found);
    CHECK_INT(found, r);
  }
  for (int d = 0; d < ndims; ++d)
    for (int distance = -dims[d] - 1; distance <= dims[d] + 1; ++distance) {
      int source = -7, destination = -7, value = rank, received = -1;
      MPI_Cart_shift(grid, d, distance, &source, &destination);
      CHECK_INT(source, neighbour(grid, ndims, dims, periods, d, -distance));
      CHECK_INT(destination, neighbour(grid, ndims, dims, periods, d, distance));
      MPI_Sendrecv(&value, 1, MPI_INT, destination, 2, &received, 1, MPI_INT, source, 2, grid, MPI_STATUS_IGNORE);
      CHECK_INT(received, source == MPI_PROC_NULL ? -1 : source);
    }
}

/* All choices of dimensions that remain. */
static void check_parts(MPI_Comm grid, int ndims, const int* dims, const int* periods) {
  int mine[dims_max], rank;
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_coords(grid, rank, ndims, mine);
  for (int choice = 0; choice < 1 << ndims; ++choice) {
    int remain[dims_max], left = 0, left_dims[dims_max], left_periods[dims_max], left_mine[dims_max], place[dims_max];
    int size, all[64];
    MPI_Comm part;
    for (int d = 0; d < ndims; ++d) {
      remain[d] = choice >> d & 1;
      if (!remain[d]) continue;
      left_dims[left] = dims[d];
      left_periods[left] = periods[d];
      left_mine[left++] = mine[d];
    }
    MPI_Cart_sub(grid, remain, &part);
    MPI_Comm_size(part, &size);
    CHECK_INT(size, product_of(left, left_dims));
    check_grid(part, left, left_dims, left_periods);
    MPI_Cart_get(part, left, left_dims, left_periods, place);
    for (int d = 0; d < left; ++d) CHECK_INT(place[d], left_mine[d]);
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, part);
    for (int i = 0; i < size; ++i) { /* equal in the dimensions that are gone */
      MPI_Cart_coords(grid, all[i], ndims, place);
      for (int d = 0; d < ndims; ++d) CHECK(remain[d] || place[d] == mine[d]);
    }
    MPI_Comm_free(&part);
  }
}

static void grid(int nodes, int ndims, int pattern) {
  int dims[dims_max] = {0}, periods[dims_max], rank, status;
  MPI_Comm made, copy;
  MPI_Dims_create(nodes, ndims, dims);
  for (int d = 0; d < ndims; ++d) periods[d] = pattern >> d & 1;
  MPI_Cart_map(MPI_COMM_WORLD, ndims, dims, periods, &rank);
  CHECK_INT(rank, world_rank() < nodes ? world_rank() : MPI_UNDEFINED);
  MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, periods, pattern & 1, &made);
  CHECK((made == MPI_COMM_NULL) == (world_rank() >= nodes));
  if (made == MPI_COMM_NULL) return;
  check_grid(made, ndims, dims, periods);
  check_parts(made, ndims, dims, periods);
  MPI_Comm_dup(made, &copy); /* with its topology */
  check_grid(copy, ndims, dims, periods);
  MPI_Comm_free(&made);
  MPI_Comm_split(copy, 0, 0, &made); /* without */
  MPI_Topo_test(made, &status);
  CHECK_INT(status, MPI_UNDEFINED);
  MPI_Comm_free(&made);
  MPI_Comm_free(&copy);
}

/* No dimension: one place, whose rank is 0. */
static void point(void) {
  MPI_Comm made, part;
  int value = -1;
  MPI_Cart_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &made);
  CHECK((made == MPI_COMM_NULL) == (world_rank() > 0));
  if (made == MPI_COMM_NULL) return;
  check_grid(made, 0, NULL, NULL);
  MPI_Cart_rank(made, NULL, &value);
  CHECK_INT(value, 0);
  MPI_Cart_sub(made, NULL, &part);
  check_grid(part, 0, NULL, NULL);
  MPI_Comm_free(&part);
  MPI_Comm_free(&made);
}

static void errors(void) {
  const int size = world_size();
  int dims[] = {1, size + 1}, zero[] = {1, 0}, good[] = {size, 1}, periods[] = {0, 0}, minus[] = {-1, 0},
      five[] = {5, 0};
  int value, other, outside[] = {size, 0}, places[2];
  MPI_Comm made;
  FAILS(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &made), MPI_ERR_DIMS);
  FAILS(MPI_Cart_create(MPI_COMM_WORLD, 2, zero, periods, 0, &made), MPI_ERR_DIMS);
  FAILS(MPI_Cart_create(MPI_COMM_WORLD, -1, zero, periods, 0, &made), MPI_ERR_DIMS);
  FAILS(MPI_Cart_create(MPI_COMM_WORLD, 2, NULL, periods, 0, &made), MPI_ERR_ARG);
  FAILS(MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &value), MPI_ERR_DIMS);
  FAILS(MPI_Dims_create(7, 2, minus), MPI_ERR_DIMS);
  FAILS(MPI_Dims_create(7, 2, five), MPI_ERR_DIMS);
  FAILS(MPI_Dims_create(0, 2, zero), MPI_ERR_DIMS);
  FAILS(MPI_Topo_test(MPI_COMM_NULL, &value), MPI_ERR_COMM);
  FAILS(MPI_Cartdim_get(MPI_COMM_WORLD, &value), MPI_ERR_TOPOLOGY);
  FAILS(MPI_Cart_get(MPI_COMM_WORLD, 2, dims, periods, places), MPI_ERR_TOPOLOGY);
  FAILS(MPI_Cart_sub(MPI_COMM_WORLD, good, &made), MPI_ERR_TOPOLOGY);
  MPI_Cart_create(MPI_COMM_WORLD, 2, good, periods, 0, &made);
  MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
  FAILS(MPI_Cart_rank(made, outside, &value), MPI_ERR_ARG);
  FAILS(MPI_Cart_rank(made, minus, &value), MPI_ERR_ARG);
  FAILS(MPI_Cart_coords(made, size, 2, places), MPI_ERR_RANK);
  FAILS(MPI_Cart_coords(made, 0, 1, places), MPI_ERR_ARG);
  FAILS(MPI_Cart_get(made, 1, dims, periods, places), MPI_ERR_ARG);
  FAILS(MPI_Cart_shift(made, 2, 1, &value, &other), MPI_ERR_ARG);
  FAILS(MPI_Cart_shift(made, -1, 1, &value, &other), MPI_ERR_ARG);
  FAILS(MPI_Graphdims_get(made, &value, &other), MPI_ERR_TOPOLOGY);
  MPI_Comm_free(&made);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  balanced_dims();
  given_dims();
  const int size = world_size();
  for (int ndims = 1; ndims <= 3; ++ndims)
    for (int pattern = 0; pattern < 1 << ndims; pattern += 3) {
      grid(size, ndims, pattern);
      if (size > 2) grid(size - 2, ndims, pattern); /* places for fewer than all */
    }
  point();
  errors();
  return finish();
}
