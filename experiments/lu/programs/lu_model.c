// How long examples/kernels/lu.c takes, without doing it: what it sends and receives is measured by itself on the same
// ranks of the same machine, at a few lengths; the rest is a sum over panels. So it can be told of orders that nobody
// could factor here.   lu_model [ORDER [BLOCK [ROWS]]]
//
// For each panel, on the way that leads to the next one:
//   its columns: a choice among the ranks of a column, and what it streams through memory;
//   its way to the next column of ranks, and on from there;
//   rows that change places, among the ranks of a column;
//   the product, of the rank with most rows in the next panel's column, which has most columns.
#include "../../../examples/kernels/block_cyclic.h"

#include <hindcast.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 16, RANKS_MAX = 512 };

// Times at lengths that grow by 4, and straight lines between.
typedef struct {
  int points;
  double bytes[POINTS], times[POINTS];
} Curve;

typedef double (*Timed)(int numbers);

static int order, block;
static Grid grid;
static char *out, *in;  // room for the longest that is sent

static double larger(double a, double b) { return a > b ? a : b; }

// Of all ranks, on rank 0, who alone adds up.
static double largest(double value) {
  double all = 0;
  MPI_Reduce(&value, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  return all;
}

// From a common instant on: rank 0 names one that is well ahead, and all wait for it.
static double begin_together(void) {
  double begin = MPI_Wtime() + 1;
  MPI_Bcast(&begin, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  hindcast_compute_seconds(begin - MPI_Wtime());
  return MPI_Wtime();
}

// Memory that lies the same in a cache in every run. Only what is chosen of is looked at.
static char* allocate(double bytes) {
  const size_t alignment = 128 << 10;
  char* memory = aligned_alloc(alignment, ((size_t)bytes / alignment + 1) * alignment);
  if (memory == NULL) MPI_Abort(MPI_COMM_WORLD, 3);
  return memset(memory, 0, (2 + 2 * block) * sizeof(double));
}

static double at(const Curve* curve, double bytes) {
  int k = 1;
  while (k + 1 < curve->points && curve->bytes[k] < bytes) ++k;
  if (curve->points < 2) return curve->times[0];
  const double slope = (curve->times[k] - curve->times[k - 1]) / (curve->bytes[k] - curve->bytes[k - 1]);
  return curve->times[k - 1] + slope * (bytes - curve->bytes[k - 1]);
}

static Curve measure(Timed timed, double most) {
  Curve curve = {0};
  for (double bytes = sizeof(double); curve.points < POINTS; bytes *= 4) {
    const double length = bytes < most ? bytes : most;
    curve.bytes[curve.points] = length;
    timed((int)(length / sizeof(double)));  // the first of its kind may be slower
    curve.times[curve.points++] = timed((int)(length / sizeof(double)));
    if (bytes >= most) break;
  }
  return curve;
}

// As lu.c's own, on numbers that are all the same.
static void choose(void* in_place, void* inout, int* length, MPI_Datatype* type) {
  int bytes;
  MPI_Type_size(*type, &bytes);
  if (*(double*)in_place > *(double*)inout) memcpy(inout, in_place, (size_t)*length * bytes);
}

// The ranks of the first column choose a pivot.
static double time_choice(int numbers) {
  MPI_Datatype type;
  MPI_Op op;
  MPI_Type_contiguous(numbers, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  MPI_Op_create(choose, 1, &op);
  const double begin = begin_together();
  if (grid.column == 0) MPI_Allreduce(MPI_IN_PLACE, out, 1, type, op, grid.in_column);
  const double time = largest(MPI_Wtime() - begin);
  MPI_Op_free(&op);
  MPI_Type_free(&type);
  return time;
}

// From the first column of ranks to the second and, if there is one, to a third: until the second goes on.
static double time_hop(int numbers) {
  const double begin = begin_together();
  double time = 0;
  if (grid.column == 1) MPI_Recv(in, numbers, MPI_DOUBLE, 0, 0, grid.in_row, MPI_STATUS_IGNORE);
  if (grid.column < 2 && grid.column + 1 < grid.columns)
    MPI_Send(out, numbers, MPI_DOUBLE, grid.column + 1, 0, grid.in_row);
  if (grid.column == 1) time = MPI_Wtime() - begin;
  if (grid.column == 2) MPI_Recv(in, numbers, MPI_DOUBLE, 1, 0, grid.in_row, MPI_STATUS_IGNORE);
  return largest(time);
}

// A block's rows are with ranks as chance has it.
static void deal_rows(int numbers, int* counts, int* displacements) {
  memset(counts, 0, grid.rows * sizeof *counts);
  unsigned long state = 12345;
  for (int i = 0; i < block; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    counts[(state >> 33) % grid.rows] += numbers / block;
  }
  displacements[0] = 0;
  for (int r = 1; r < grid.rows; ++r) displacements[r] = displacements[r - 1] + counts[r - 1];
}

// A block's rows come to all ranks of a column, and others go to their new places; in as many columns as there is
// memory for.
static double time_rows(int numbers) {
  const int takes_part = grid.column == 0 || grid.column < RANKS_MAX / grid.rows;
  int* counts = malloc(2 * grid.rows * sizeof *counts);
  deal_rows(numbers < block ? block : numbers, counts, counts + grid.rows);
  const double begin = begin_together();
  if (takes_part) {
    MPI_Allgatherv(out, counts[grid.row], MPI_DOUBLE, in, counts, counts + grid.rows, MPI_DOUBLE, grid.in_column);
    MPI_Scatterv(out, counts, counts + grid.rows, MPI_DOUBLE, in, counts[grid.row], MPI_DOUBLE, 0, grid.in_column);
  }
  free(counts);
  return largest(MPI_Wtime() - begin);
}

// A block of the solution: a sum in the first row, and its result to the first column.
static double time_solution(int numbers) {
  const double begin = begin_together();
  if (grid.row == 0) MPI_Reduce(out, in, numbers, MPI_DOUBLE, MPI_SUM, 0, grid.in_row);
  if (grid.column == 0) MPI_Bcast(in, numbers, MPI_DOUBLE, 0, grid.in_column);
  return largest(MPI_Wtime() - begin);
}

static int smaller(int a, int b) { return a < b ? a : b; }

// The most rows from `first` on that any rank of a column has, or columns that one of the ranks of a row has.
static double rows_from(int first) {
  int most = 0;
  for (int r = 0; r < grid.rows; ++r) {
    const int rows = share(order, block, grid.rows, r) - share(first, block, grid.rows, r);
    if (rows > most) most = rows;
  }
  return most;
}

static double columns_from(int first, int column) {
  return share(order + 1, block, grid.columns, column) - share(first, block, grid.columns, column);
}

static double longest_panel(void) { return (block + (double)block * block + rows_from(0) * block) * sizeof(double); }

// What was measured of the machine.
typedef struct {
  double flops_a_second, bytes_a_second, choice, solution;
  Curve hops, rows;
} Measured;

static double last_of(Curve curve) { return curve.times[curve.points - 1]; }

static double factoring(const Measured* machine) {
  double time = 0;
  for (int first = 0; first < order; first += block) {
    const int width = smaller(block, order - first), next = owner(first + width, block, grid.columns);
    const double panel_rows = rows_from(first), below = rows_from(first + width);
    const double columns = columns_from(first + width, next), numbers = width + (width + panel_rows) * width;
    // The panel is copied first; each of its columns takes a pass over what is right of it. Rows are packed, put where
    // they go, and the solved ones in their places.
    double streamed = 16 * panel_rows * width + 16 * width * columns * (2 + 2.0 / grid.rows);
    for (int j = 0; j < width; ++j) streamed += 16 * (panel_rows - (grid.rows == 1 ? j : 0)) * (width - j);
    time += width * machine->choice;
    if (grid.columns > 1) time += at(&machine->hops, numbers * sizeof(double));
    time += at(&machine->rows, width * columns * sizeof(double));
    time += streamed / machine->bytes_a_second;
    time += columns * width * (width - 1 + 2 * below) / machine->flops_a_second;
  }
  return time;
}

static double substituting(const Measured* machine) {
  double time = 0;
  for (int first = 0; first < order; first += block) {
    const double columns = columns_from(first + block, owner(first, block, grid.columns));
    time += machine->solution + 8 * block * (columns + block / 2.0) / machine->bytes_a_second;
  }
  return time;
}

// The rates of all ranks at once, as they compute in the program.
static Measured measure_all(void) {
  const double amount = 1e6;
  Measured machine = {0};
  double begin = begin_together();
  hindcast_compute_flops(amount);
  machine.flops_a_second = amount / largest(MPI_Wtime() - begin);
  begin = begin_together();
  hindcast_compute_bytes(amount);
  machine.bytes_a_second = amount / largest(MPI_Wtime() - begin);
  machine.choice = last_of(measure(time_choice, (2 + 2 * block) * sizeof(double)));
  machine.rows = measure(time_rows, columns_from(0, 0) * block * sizeof(double));
  if (grid.columns > 1) machine.hops = measure(time_hop, longest_panel());
  machine.solution = last_of(measure(time_solution, block * sizeof(double)));
  return machine;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  order = argc > 1 ? atoi(argv[1]) : 200;
  block = argc > 2 ? atoi(argv[2]) : 16;
  const int rows = argc > 3 && atoi(argv[3]) > 0 ? atoi(argv[3]) : squarest_rows(size);
  if (order < 1 || block < 1 || size % rows != 0) MPI_Abort(MPI_COMM_WORLD, 2);
  grid = make_grid(rows);
  const double most = larger(longest_panel(), larger(columns_from(0, 0), 2) * block * sizeof(double)) + 64 * block;
  out = allocate(most);
  in = allocate(most);
  const Measured machine = measure_all();
  if (grid.row == 0 && grid.column == 0) {
    const double time = factoring(&machine) + substituting(&machine);
    const double flops = 2.0 / 3 * order * order * order + 1.5 * order * order;
    printf("order,ranks,time_us,efficiency\n%d,%d,%.6f,%.6f\n", order, size, time * 1e6,
           flops / time / (size * machine.flops_a_second));
  }
  free(in);
  free(out);
  free_grid(&grid);
  MPI_Finalize();
  return 0;
}
