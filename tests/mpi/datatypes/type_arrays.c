/* ranks: 1 4
 * Parts of arrays as datatypes: a subarray swapped between neighbours, an array dealt out over all ranks. */
#include "check.h"

#include <string.h>

static MPI_Datatype type;

/* Rows 1 and 2, columns 2 to 4 of a 4 x 6 array, sent around a ring. */
static void subarray(int order) {
  enum { rows = 4, columns = 6 };
  int out[rows * columns], in[rows * columns], plain[6];
  const int by_rows[2] = {rows, columns}, by_columns[2] = {columns, rows};
  const int part[2] = {2, 3}, part_by_columns[2] = {3, 2}, start[2] = {1, 2}, start_by_columns[2] = {2, 1};
  if (order == MPI_ORDER_C)
    MPI_Type_create_subarray(2, by_rows, part, start, order, MPI_INT, &type);
  else
    MPI_Type_create_subarray(2, by_columns, part_by_columns, start_by_columns, order, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Aint lb, extent;
  MPI_Type_get_extent(type, &lb, &extent);
  CHECK_INT(lb, 0);
  CHECK_INT(extent, sizeof out);
  MPI_Type_get_true_extent(type, &lb, &extent);
  CHECK_INT(lb, (columns + 2) * sizeof(int));
  CHECK_INT(extent, (columns + 3) * sizeof(int));

  const int right = (world_rank() + 1) % world_size(), left = (world_rank() + world_size() - 1) % world_size();
  fill(out, rows * columns, world_rank(), 1);
  memset(in, 0, sizeof in);
  MPI_Sendrecv(out, 1, type, right, 1, plain, 6, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(out, 1, type, right, 1, in, 1, type, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int row = 0, n = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const int place = row * columns + column;
      const int is_part = row >= 1 && row <= 2 && column >= 2 && column <= 4;
      CHECK_INT(in[place], is_part ? element(left, 1, place) : 0);
      if (is_part) CHECK_INT(plain[n++], element(left, 1, place));
    }
  }
  MPI_Type_free(&type);
}

static void subarray_edges(void) {
  const int one[1] = {1}, five[1] = {5}, zero[1] = {0}, six[1] = {6}, negative[1] = {-1};
  const int sizes[3] = {2, 1, 3}, starts[3] = {0, 0, 0};
  int size;
  MPI_Type_create_subarray(3, sizes, sizes, starts, MPI_ORDER_C, MPI_INT, &type); /* the whole of it */
  MPI_Type_size(type, &size);
  CHECK_INT(size, 24);
  MPI_Type_free(&type);
  FAILS(MPI_Type_create_subarray(0, NULL, NULL, NULL, MPI_ORDER_C, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_create_subarray(1, five, zero, zero, MPI_ORDER_C, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_create_subarray(1, five, six, zero, MPI_ORDER_C, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_create_subarray(1, five, one, five, MPI_ORDER_C, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_create_subarray(1, five, one, negative, MPI_ORDER_C, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_create_subarray(1, zero, zero, zero, MPI_ORDER_C, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_create_subarray(1, five, one, zero, 77, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_create_subarray(1, five, one, zero, MPI_ORDER_C, MPI_DATATYPE_NULL, &type), MPI_ERR_TYPE);
}

/* Rank 0 has a 10 x 9 array; each rank gets its part, by blocks of rows and cycles of 2 columns. */
static void dealt(void) {
  enum { rows = 10, columns = 9 };
  const int ranks = world_size(), across = ranks == 4 ? 2 : 1;
  const int sizes[2] = {rows, columns}, kinds[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
  const int arguments[2] = {MPI_DISTRIBUTE_DFLT_DARG, 2}, grid[2] = {across, across};
  int whole[rows * columns], mine[rows * columns];
  MPI_Request requests[4];
  fill(whole, rows * columns, 0, 5);
  for (int rank = 0; rank < ranks && world_rank() == 0; ++rank) {
    MPI_Type_create_darray(ranks, rank, 2, sizes, kinds, arguments, grid, MPI_ORDER_C, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Aint lb, extent;
    MPI_Type_get_extent(type, &lb, &extent);
    CHECK_INT(lb, 0);
    CHECK_INT(extent, sizeof whole);
    MPI_Isend(whole, 1, type, rank, 5, MPI_COMM_WORLD, &requests[rank]);
    MPI_Type_free(&type); /* the send goes on using it */
  }
  MPI_Status status;
  int count, n = 0;
  MPI_Recv(mine, rows * columns, MPI_INT, 0, 5, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  const int my_row = world_rank() / across, my_column = world_rank() % across;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column)
      if (row / (rows / across) == my_row && column / 2 % across == my_column)
        CHECK_INT(mine[n++], element(0, 5, row * columns + column));
  }
  CHECK_INT(count, n);
  if (world_rank() == 0) MPI_Waitall(ranks, requests, MPI_STATUSES_IGNORE);
}

static void dealt_edges(void) {
  const int three[1] = {3}, four[1] = {4}, one[1] = {1}, two[1] = {2}, zero[1] = {0};
  const int block[1] = {MPI_DISTRIBUTE_BLOCK}, none[1] = {MPI_DISTRIBUTE_NONE}, cyclic[1] = {MPI_DISTRIBUTE_CYCLIC};
  const int by_default[1] = {MPI_DISTRIBUTE_DFLT_DARG}, odd[1] = {99};
  int size;
  MPI_Type_create_darray(4, 3, 1, three, block, by_default, four, MPI_ORDER_C, MPI_INT, &type); /* nothing is left */
  MPI_Type_size(type, &size);
  CHECK_INT(size, 0);
  MPI_Type_free(&type);
  MPI_Type_create_darray(1, 0, 1, three, none, by_default, one, MPI_ORDER_FORTRAN, MPI_INT, &type);
  MPI_Type_size(type, &size);
  CHECK_INT(size, 12);
  MPI_Type_free(&type);
  FAILS(MPI_Type_create_darray(2, 2, 1, three, block, by_default, two, MPI_ORDER_C, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_create_darray(2, 0, 1, three, block, by_default, four, MPI_ORDER_C, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_create_darray(2, 0, 1, three, block, one, two, MPI_ORDER_C, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_create_darray(2, 0, 1, three, none, by_default, two, MPI_ORDER_C, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_create_darray(2, 0, 1, three, cyclic, zero, two, MPI_ORDER_C, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_create_darray(2, 0, 1, three, odd, by_default, two, MPI_ORDER_C, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_create_darray(2, 0, 0, NULL, NULL, NULL, NULL, MPI_ORDER_C, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_create_darray(2, 0, 1, three, block, by_default, two, 5, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_create_darray(2, 0, 1, three, block, by_default, two, MPI_ORDER_C, MPI_DATATYPE_NULL, &type),
        MPI_ERR_TYPE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  subarray(MPI_ORDER_C);
  subarray(MPI_ORDER_FORTRAN);
  subarray_edges();
  dealt();
  dealt_edges();
  return finish();
}
