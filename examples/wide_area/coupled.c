// An ocean and an atmosphere, a grid each, on the machines of several sites:
// the first third of the ranks is the ocean, the others are the atmosphere. In
// each step a rank exchanges rims with its neighbours in its own model, works
// on its rows, and takes what it needs of the other model's surface, which all
// ranks gather; a sum over all ranks says how warm it is. Every rank then works
// out both models alone, and its rows must be equal.
//   coupled [STEPS [SIZE NAME]]
// With a size it prints that, in a column called so, and the time of a step.
#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 96, COLUMNS = 64, PRIME = 1000003, OPERATIONS_OF_A_POINT = 2000 };
enum { OCEAN, ATMOSPHERE, MODELS };

typedef long Row[COLUMNS];

static long first(int model, int row, int column) { return (model + 1) * 7919L * row + 104729L * column; }
static int round_to(int index, int size) { return (index + size) % size; }

// One row after a step, from it and its neighbours.
static void diffuse(const long* above, const long* row, const long* below, long* next) {
  for (int column = 0; column < COLUMNS; ++column) {
    const long left = row[round_to(column - 1, COLUMNS)], right = row[round_to(column + 1, COLUMNS)];
    next[column] = (above[column] + below[column] + left + right - 3 * row[column]) % PRIME;
  }
}

// What the other model's surface does to a row.
static void couple(long* row, const long* other) {
  for (int column = 0; column < COLUMNS; ++column) row[column] = (row[column] + other[column] / 2) % PRIME;
}

static void step_alone(Row (*models)[ROWS]) {
  static Row after[MODELS][ROWS];
  for (int model = 0; model < MODELS; ++model)
    for (int row = 0; row < ROWS; ++row)
      diffuse(models[model][round_to(row - 1, ROWS)], models[model][row], models[model][round_to(row + 1, ROWS)],
              after[model][row]);
  static Row surface[MODELS][ROWS];
  memcpy(surface, after, sizeof after);
  for (int model = 0; model < MODELS; ++model)
    for (int row = 0; row < ROWS; ++row) couple(after[model][row], surface[1 - model][row]);
  memcpy(models, after, sizeof after);
}

// A rank's part: rows of one model, with a rim above and below.
typedef struct {
  MPI_Comm comm;  // of the model
  int model, first_row, rows;
  Row* cells;  // the rim above is cells[0]
} Part;

static Part make_part(int rank, int size) {
  Part part;
  int rank_in_model, size_of_model;
  part.model = rank < size / 3 ? OCEAN : ATMOSPHERE;
  MPI_Comm_split(MPI_COMM_WORLD, part.model, rank, &part.comm);
  MPI_Comm_rank(part.comm, &rank_in_model);
  MPI_Comm_size(part.comm, &size_of_model);
  part.rows = ROWS / size_of_model;
  part.first_row = rank_in_model * part.rows;
  part.cells = calloc((size_t)part.rows + 2, sizeof(Row));
  for (int row = 0; row < part.rows; ++row)
    for (int column = 0; column < COLUMNS; ++column)
      part.cells[row + 1][column] = first(part.model, part.first_row + row, column);
  return part;
}

static void exchange_rims(Part* part) {
  int rank, size;
  MPI_Comm_rank(part->comm, &rank);
  MPI_Comm_size(part->comm, &size);
  const int up = round_to(rank - 1, size), down = round_to(rank + 1, size);
  MPI_Sendrecv(part->cells[part->rows], COLUMNS, MPI_LONG, down, 0, part->cells[0], COLUMNS, MPI_LONG, up, 0,
               part->comm, MPI_STATUS_IGNORE);
  MPI_Sendrecv(part->cells[1], COLUMNS, MPI_LONG, up, 1, part->cells[part->rows + 1], COLUMNS, MPI_LONG, down, 1,
               part->comm, MPI_STATUS_IGNORE);
}

// All ranks' rows, in the order of ranks: the ocean's, then the atmosphere's.
static void gather_surfaces(const Part* part, Row (*surfaces)[ROWS]) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int* counts = malloc(sizeof(int) * size);
  int* displacements = malloc(sizeof(int) * size);
  for (int other = 0, at = 0; other < size; at += counts[other++]) {
    counts[other] = ROWS / (other < size / 3 ? size / 3 : size - size / 3) * COLUMNS;
    displacements[other] = at;
  }
  MPI_Allgatherv(part->cells[1], part->rows * COLUMNS, MPI_LONG, surfaces, counts, displacements, MPI_LONG,
                 MPI_COMM_WORLD);
  free(counts);
  free(displacements);
}

static long step(Part* part) {
  static Row surfaces[MODELS][ROWS];
  Row* after = calloc((size_t)part->rows + 2, sizeof(Row));
  exchange_rims(part);
  for (int row = 1; row <= part->rows; ++row)
    diffuse(part->cells[row - 1], part->cells[row], part->cells[row + 1], after[row]);
  hindcast_compute_flops((double)OPERATIONS_OF_A_POINT * part->rows * COLUMNS);
  free(part->cells);
  part->cells = after;
  gather_surfaces(part, surfaces);
  long mine = 0, sum;
  for (int row = 1; row <= part->rows; ++row) {
    couple(part->cells[row], surfaces[1 - part->model][part->first_row + row - 1]);
    for (int column = 0; column < COLUMNS; ++column) mine += part->cells[row][column];
  }
  MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int steps = argc > 1 ? atoi(argv[1]) : 10;
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size % 3 != 0 || ROWS % (size / 3) != 0 || ROWS % (size - size / 3) != 0) {
    if (rank == 0) fprintf(stderr, "coupled: %d ranks; take three times a divisor of 48\n", size);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  static Row models[MODELS][ROWS];
  for (int model = 0; model < MODELS; ++model)
    for (int row = 0; row < ROWS; ++row)
      for (int column = 0; column < COLUMNS; ++column) models[model][row][column] = first(model, row, column);

  Part part = make_part(rank, size);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  long sum = 0, sum_alone = 0;
  for (int i = 0; i < steps; ++i) sum = step(&part);
  const double took = MPI_Wtime() - start;

  for (int i = 0; i < steps; ++i) step_alone(models);
  for (int model = 0; model < MODELS; ++model)
    for (int row = 0; row < ROWS; ++row)
      for (int column = 0; column < COLUMNS; ++column) sum_alone += models[model][row][column];
  int is_right = sum == sum_alone;
  for (int row = 0; row < part.rows; ++row)
    is_right = is_right && memcmp(models[part.model][part.first_row + row], part.cells[row + 1], sizeof(Row)) == 0;
  int all_right;
  MPI_Reduce(&is_right, &all_right, 1, MPI_INT, MPI_LAND, 0, MPI_COMM_WORLD);
  if (rank == 0 && argc > 3 && all_right)
    printf("%s,time_ms\n%s,%.6f\n", argv[3], argv[2], took / steps * 1e3);
  else if (rank == 0)
    printf("ocean on %d ranks, atmosphere on %d: %s, %.3f ms a step\n", size / 3, size - size / 3,
           all_right ? "right" : "WRONG", took / steps * 1e3);
  MPI_Finalize();
  return 0;
}
