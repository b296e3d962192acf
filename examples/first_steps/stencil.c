// A five-point stencil on a torus of cells, divided among a Cartesian grid of ranks. Rows and columns of the rims
// travel as derived types: a column is a vector, a row is contiguous. Every rank then works out the whole torus alone,
// and its part must be equal.   stencil [CELLS [STEPS]]
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int rows, columns;  // without the rim
  long* cells;
} Part;

static long* cell(const Part* part, int row, int column) {
  return &part->cells[(row + 1) * (part->columns + 2) + column + 1];
}

static Part make_part(int rows, int columns) {
  return (Part){rows, columns, calloc((size_t)(rows + 2) * (columns + 2), sizeof(long))};
}

// What a cell of the torus holds at first.
static long first(int row, int column) { return row * 7919 + column * 104729; }

static long next(const Part* part, int row, int column) {
  const long sum = *cell(part, row - 1, column) + *cell(part, row + 1, column) + *cell(part, row, column - 1) +
                   *cell(part, row, column + 1) - 3 * *cell(part, row, column);
  return sum % 1000003;
}

static void step(Part* part) {
  Part after = make_part(part->rows, part->columns);
  for (int row = 0; row < part->rows; ++row)
    for (int column = 0; column < part->columns; ++column) *cell(&after, row, column) = next(part, row, column);
  free(part->cells);
  *part = after;
}

// The rim on one side comes from the neighbour there, whose rim on the other side comes from here.
static void exchange(Part* part, MPI_Comm grid, int direction, MPI_Datatype side) {
  int before, after;
  const int down = direction == 0;
  long* near = cell(part, 0, 0);
  long* far = down ? cell(part, part->rows - 1, 0) : cell(part, 0, part->columns - 1);
  long* near_rim = down ? cell(part, -1, 0) : cell(part, 0, -1);
  long* far_rim = down ? cell(part, part->rows, 0) : cell(part, 0, part->columns);
  MPI_Cart_shift(grid, direction, 1, &before, &after);
  MPI_Sendrecv(far, 1, side, after, 0, near_rim, 1, side, before, 0, grid, MPI_STATUS_IGNORE);
  MPI_Sendrecv(near, 1, side, before, 1, far_rim, 1, side, after, 1, grid, MPI_STATUS_IGNORE);
}

static Part run(MPI_Comm grid, int cells, int steps) {
  int dims[2], periods[2], place[2];
  MPI_Cart_get(grid, 2, dims, periods, place);
  Part part = make_part(cells / dims[0], cells / dims[1]);
  for (int row = 0; row < part.rows; ++row)
    for (int column = 0; column < part.columns; ++column)
      *cell(&part, row, column) = first(place[0] * part.rows + row, place[1] * part.columns + column);
  MPI_Datatype row, column;
  MPI_Type_contiguous(part.columns, MPI_LONG, &row);
  MPI_Type_vector(part.rows, 1, part.columns + 2, MPI_LONG, &column);
  MPI_Type_commit(&row);
  MPI_Type_commit(&column);
  for (int i = 0; i < steps; ++i) {
    exchange(&part, grid, 0, row);
    exchange(&part, grid, 1, column);
    step(&part);
  }
  MPI_Type_free(&row);
  MPI_Type_free(&column);
  return part;
}

// The same on one rank, in a grid of one place whose neighbour is itself.
static int is_right(const Part* mine, MPI_Comm grid, int cells, int steps) {
  int dims[2], periods[2], place[2], wrong = 0;
  MPI_Comm alone;
  MPI_Cart_get(grid, 2, dims, periods, place);
  MPI_Cart_create(MPI_COMM_SELF, 2, (int[]){1, 1}, periods, 0, &alone);
  Part whole = run(alone, cells, steps);
  for (int row = 0; row < mine->rows; ++row)
    for (int column = 0; column < mine->columns; ++column)
      wrong +=
          *cell(mine, row, column) != *cell(&whole, place[0] * mine->rows + row, place[1] * mine->columns + column);
  free(whole.cells);
  MPI_Comm_free(&alone);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, grid);
  return wrong == 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int cells = argc > 1 ? atoi(argv[1]) : 48, steps = argc > 2 ? atoi(argv[2]) : 20;
  int size, rank, dims[2] = {0, 0};
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, (int[]){1, 1}, 1, &grid);
  MPI_Comm_rank(grid, &rank);
  if (cells % dims[0] != 0 || cells % dims[1] != 0) {
    if (rank == 0)
      fprintf(stderr, "stencil: %d cells cannot be divided among %d x %d ranks\n", cells, dims[0], dims[1]);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Barrier(grid);
  const double begin = MPI_Wtime();
  Part part = run(grid, cells, steps);
  MPI_Barrier(grid);
  const double end = MPI_Wtime();
  const int right = is_right(&part, grid, cells, steps);
  if (rank == 0)
    printf("%d x %d cells on %d x %d ranks: %s, %d steps in %.3f us\n", cells, cells, dims[0], dims[1],
           right ? "right" : "WRONG", steps, (end - begin) * 1e6);
  free(part.cells);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return !right;
}
