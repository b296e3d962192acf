// Heat in a square plate whose upper edge is held at 1 and whose other edges at 0, by Jacobi's iteration. The plate is
// divided among a grid of ranks, which exchange the rims of their parts in every step. Afterwards every rank works out
// the whole plate alone, and its part must be equal to the last bit.   heat2d [CELLS [STEPS]]
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int rows, columns;  // without the rim
  double *now, *next;
} Plate;

static double* cell(const Plate* plate, double* values, int row, int column) {
  return &values[(size_t)(row + 1) * (plate->columns + 2) + column + 1];
}

static Plate make_plate(int rows, int columns) {
  const size_t cells = (size_t)(rows + 2) * (columns + 2);
  return (Plate){rows, columns, calloc(cells, sizeof(double)), calloc(cells, sizeof(double))};
}

static void heat_upper_edge(Plate* plate) {
  for (int column = 0; column < plate->columns; ++column)
    *cell(plate, plate->now, -1, column) = *cell(plate, plate->next, -1, column) = 1;
}

static void step(Plate* plate) {
  for (int row = 0; row < plate->rows; ++row)
    for (int column = 0; column < plate->columns; ++column)
      *cell(plate, plate->next, row, column) =
          0.25 * (*cell(plate, plate->now, row - 1, column) + *cell(plate, plate->now, row + 1, column) +
                  *cell(plate, plate->now, row, column - 1) + *cell(plate, plate->now, row, column + 1));
  double* last = plate->now;
  plate->now = plate->next;
  plate->next = last;
}

// Rows lie in memory as they are sent; columns are packed.
static void exchange_rims(Plate* plate, int up, int down, int left, int right, double* columns[4]) {
  MPI_Request requests[8];
  const int rows = plate->rows, width = plate->columns;
  MPI_Irecv(cell(plate, plate->now, -1, 0), width, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(cell(plate, plate->now, rows, 0), width, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Irecv(columns[0], rows, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[2]);
  MPI_Irecv(columns[1], rows, MPI_DOUBLE, right, 3, MPI_COMM_WORLD, &requests[3]);
  for (int row = 0; row < rows; ++row) {
    columns[2][row] = *cell(plate, plate->now, row, 0);
    columns[3][row] = *cell(plate, plate->now, row, width - 1);
  }
  MPI_Isend(cell(plate, plate->now, rows - 1, 0), width, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &requests[4]);
  MPI_Isend(cell(plate, plate->now, 0, 0), width, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &requests[5]);
  MPI_Isend(columns[3], rows, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[6]);
  MPI_Isend(columns[2], rows, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, &requests[7]);
  MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
  for (int row = 0; row < rows; ++row) {
    if (left != MPI_PROC_NULL) *cell(plate, plate->now, row, -1) = columns[0][row];
    if (right != MPI_PROC_NULL) *cell(plate, plate->now, row, width) = columns[1][row];
  }
}

static int count_differences(Plate* part, int first_row, int first_column, int cells, int steps) {
  Plate whole = make_plate(cells, cells);
  heat_upper_edge(&whole);
  for (int i = 0; i < steps; ++i) step(&whole);
  int differences = 0;
  for (int row = 0; row < part->rows; ++row)
    differences += memcmp(cell(part, part->now, row, 0), cell(&whole, whole.now, first_row + row, first_column),
                          part->columns * sizeof(double)) != 0;
  free(whole.now);
  free(whole.next);
  return differences;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int cells = argc > 1 ? atoi(argv[1]) : 48;
  const int steps = argc > 2 ? atoi(argv[2]) : 100;

  int down_ranks = 1;
  for (int i = 1; i * i <= size; ++i)
    if (size % i == 0) down_ranks = i;
  const int across_ranks = size / down_ranks;
  if (cells % down_ranks != 0 || cells % across_ranks != 0) {
    if (rank == 0)
      fprintf(stderr, "heat2d: %d cells do not divide among %d x %d ranks\n", cells, down_ranks, across_ranks);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const int my_row = rank / across_ranks, my_column = rank % across_ranks;
  const int up = my_row > 0 ? rank - across_ranks : MPI_PROC_NULL;
  const int down = my_row < down_ranks - 1 ? rank + across_ranks : MPI_PROC_NULL;
  const int left = my_column > 0 ? rank - 1 : MPI_PROC_NULL;
  const int right = my_column < across_ranks - 1 ? rank + 1 : MPI_PROC_NULL;

  Plate part = make_plate(cells / down_ranks, cells / across_ranks);
  if (up == MPI_PROC_NULL) heat_upper_edge(&part);
  double* columns[4];
  for (int i = 0; i < 4; ++i) columns[i] = malloc(part.rows * sizeof(double));

  const double start = MPI_Wtime();
  for (int i = 0; i < steps; ++i) {
    exchange_rims(&part, up, down, left, right, columns);
    step(&part);
  }
  const double elapsed = MPI_Wtime() - start;

  int differences = count_differences(&part, my_row * part.rows, my_column * part.columns, cells, steps), all = 0;
  MPI_Allreduce(&differences, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d x %d cells on %d x %d ranks: %s, %d steps in %.3f us\n", cells, cells, down_ranks, across_ranks,
           all == 0 ? "right" : "WRONG", steps, elapsed * 1e6);
  for (int i = 0; i < 4; ++i) free(columns[i]);
  free(part.now);
  free(part.next);
  MPI_Finalize();
  return all != 0;
}
