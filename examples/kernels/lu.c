// Solves a dense system of linear equations by LU factorization with partial pivoting, as the LINPACK benchmark for
// parallel machines does: a grid of ranks has the matrix in blocks (block_cyclic.h); one column of ranks factors a
// panel of columns and passes it on around the rows; rows change places; all subtract a product. The right-hand side is
// one column more.   lu [ORDER [BLOCK [ROWS [table]]]], ROWS of the grid; right if the residual is as small as rounding
// makes it. With -fopenmp a rank's threads share what it computes. `table` prints columns and no sentence.
#include "block_cyclic.h"

#include <float.h>
#include <hindcast.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static int order, block, own_rows, own_columns;  // own_columns with the right-hand side's, if it is there
static Grid grid;
static double* matrix;    // own_rows by own_columns, row by row
static double* solution;  // of own columns

// What a panel's ranks pass on: pivots, the rows that were chosen, and each rank's part below them.
typedef struct {
  int first, width, height;           // columns of the whole; own rows from `first` on
  double *data, *pivots, *top, *low;  // all of it; then its three parts
} Panel;

// On some machines it matters where in a cache something lies: so that lies the same in every run.
static void* allocate(size_t bytes) {
  const size_t alignment = 128 << 10, whole = (bytes / alignment + 1) * alignment;
  void* memory = aligned_alloc(alignment, whole);
  if (memory == NULL) MPI_Abort(MPI_COMM_WORLD, 3);
  return memset(memory, 0, bytes);
}

static double element(int i, int j) {
  unsigned long x = (unsigned long)i * 1000003 + j + 1;
  x *= 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93;
  return (double)((x ^ (x >> 32)) >> 11) / 9007199254740992.0 - 0.5;
}

static int rows_before(int index) { return share(index, block, grid.rows, grid.row); }
static int columns_before(int index) { return share(index, block, grid.columns, grid.column); }
static double* own_row(int i) { return matrix + (long)i * own_columns; }
static int whole_row(int i) { return whole_index(i, block, grid.rows, grid.row); }
static int whole_column(int j) { return whole_index(j, block, grid.columns, grid.column); }

#ifdef _OPENMP
static int threads(void) { return omp_get_num_threads(); }
static int this_thread(void) { return omp_get_thread_num(); }
#else
static int threads(void) { return 1; }
static int this_thread(void) { return 0; }
#endif

// Operations on pairs of numbers that stay in a cache go at the processor's peak; what streams through memory at the
// memory's rate.
static void charge(double flops, double bytes) {
  hindcast_compute_flops(flops);
  hindcast_compute_bytes(bytes);
}

// Of two ranks' records {value, its row's number, that row, the row to change places with} the larger value and its
// row; the row to change places with is one rank's, and nothing in the others'.
static void choose(void* in, void* inout, int* length, MPI_Datatype* type) {
  int bytes;
  MPI_Type_size(*type, &bytes);
  const int numbers = bytes / (int)sizeof(double), width = (numbers - 2) / 2;
  for (int k = 0; k < *length; ++k) {
    const double* a = (double*)in + (long)k * numbers;
    double* b = (double*)inout + (long)k * numbers;
    if (fabs(a[0]) > fabs(b[0]) || (fabs(a[0]) == fabs(b[0]) && a[1] < b[1])) memcpy(b, a, (2 + width) * sizeof *b);
    for (int t = 0; t < width; ++t) b[2 + width + t] += a[2 + width + t];
  }
}

// Column j of the panel: the largest of all ranks' comes to the top.
static void choose_pivot(Panel* panel, int j, double* record, MPI_Datatype type, MPI_Op op) {
  const int width = panel->width, target = panel->first + j, begin = rows_before(panel->first);
  const int is_top = owner(target, block, grid.rows) == grid.row;
  memset(record, 0, (2 + 2 * width) * sizeof *record);
  record[1] = order;
  for (int i = is_top ? j : 0; i < panel->height; ++i) {
    const double* row = panel->low + (long)i * width;
    if (record[1] == order || fabs(row[j]) > fabs(record[0])) {
      record[0] = row[j];
      record[1] = whole_row(begin + i);
      memcpy(record + 2, row, width * sizeof *row);
    }
  }
  if (is_top) memcpy(record + 2 + width, panel->low + (long)j * width, width * sizeof *record);
  MPI_Allreduce(MPI_IN_PLACE, record, 1, type, op, grid.in_column);
  if (record[0] == 0) {
    fprintf(stderr, "lu: the matrix is singular\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  const int pivot = (int)record[1];
  panel->pivots[j] = pivot;
  if (owner(pivot, block, grid.rows) == grid.row)
    memcpy(panel->low + (long)(own_index(pivot, block, grid.rows) - begin) * width, record + 2 + width,
           width * sizeof *record);
  if (is_top) memcpy(panel->low + (long)j * width, record + 2, width * sizeof *record);
  memcpy(panel->top + (long)j * width, record + 2, width * sizeof *record);
}

static void factor(Panel* panel) {
  const int width = panel->width, begin = rows_before(panel->first), column = columns_before(panel->first);
  const int is_top = owner(panel->first, block, grid.rows) == grid.row;
  for (int i = 0; i < panel->height; ++i)
    memcpy(panel->low + (long)i * width, own_row(begin + i) + column, width * sizeof(double));
  charge(0, 16.0 * panel->height * width);
  double* record = allocate((2 + 2 * width) * sizeof *record);
  MPI_Datatype type;
  MPI_Op op;
  MPI_Type_contiguous(2 + 2 * width, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  MPI_Op_create(choose, 1, &op);
  for (int j = 0; j < width; ++j) {
    choose_pivot(panel, j, record, type, op);
    const double* top = panel->top + (long)j * width;
    const int below = is_top ? j + 1 : 0;
    for (int i = below; i < panel->height; ++i) {
      double* row = panel->low + (long)i * width;
      row[j] /= top[j];
      for (int t = j + 1; t < width; ++t) row[t] -= row[j] * top[t];
    }
    charge(0, 16.0 * (panel->height - below) * (width - j));
  }
  if (is_top)
    for (int j = 0; j < width; ++j)
      memcpy(own_row(begin + j) + column, panel->top + (long)j * width, width * sizeof(double));
  MPI_Op_free(&op);
  MPI_Type_free(&type);
  free(record);
}

// Around the row, so that the rank that has the next panel is the first to have this one.
static void pass_on(Panel* panel) {
  const int from = owner(panel->first, block, grid.columns), next = (grid.column + 1) % grid.columns;
  const int numbers = panel->width + panel->width * panel->width + panel->height * panel->width;
  if (grid.column != from)
    MPI_Recv(panel->data, numbers, MPI_DOUBLE, (grid.column + grid.columns - 1) % grid.columns, 0, grid.in_row,
             MPI_STATUS_IGNORE);
  if (next != from) MPI_Send(panel->data, numbers, MPI_DOUBLE, next, 0, grid.in_row);
}

// Which rows are where after a panel's exchanges: `from[i]` comes to `to[i]`. The panel's own places come first.
static int find_moves(const Panel* panel, int* to, int* from) {
  int moves = panel->width;
  for (int i = 0; i < moves; ++i) to[i] = from[i] = panel->first + i;
  for (int j = 0; j < panel->width; ++j) {
    int at = 0;
    while (at < moves && to[at] != (int)panel->pivots[j]) ++at;
    if (at == moves) {
      to[at] = from[at] = (int)panel->pivots[j];
      ++moves;
    }
    const int one = from[j];
    from[j] = from[at];
    from[at] = one;
  }
  return moves;
}

static void count_in_ranks(const int* rows, int number, int length, int* counts, int* displacements) {
  for (int r = 0; r < grid.rows; ++r) counts[r] = 0;
  for (int i = 0; i < number; ++i) counts[owner(rows[i], block, grid.rows)] += length;
  displacements[0] = 0;
  for (int r = 1; r < grid.rows; ++r) displacements[r] = displacements[r - 1] + counts[r - 1];
}

// Packs own rows of these, from column `column` on, or puts them back.
static void move_rows(const int* rows, int number, int column, double* packed, int is_back) {
  const int length = own_columns - column;
  int own = 0;
  for (int i = 0; i < number; ++i) {
    if (owner(rows[i], block, grid.rows) != grid.row) continue;
    double *here = own_row(own_index(rows[i], block, grid.rows)) + column, *there = packed + (long)own++ * length;
    memcpy(is_back ? here : there, is_back ? there : here, length * sizeof *here);
  }
  charge(0, 16.0 * own * length);
}

// The panel's rows, for all ranks of the column, in `rows`; those that they had been exchanged for go to their new
// places. `gathered` is room for them.
static void exchange_rows(const Panel* panel, int column, double* gathered, double** rows) {
  const int length = own_columns - column, width = panel->width, top = owner(panel->first, block, grid.rows);
  int* to = allocate(4 * width * sizeof *to);
  int* counts = allocate(2 * grid.rows * sizeof *counts);
  int *from = to + 2 * width, *displacements = counts + grid.rows;
  const int moves = find_moves(panel, to, from);
  double* packed = allocate((long)width * length * sizeof *packed);
  double* others = allocate((long)width * length * sizeof *others);
  count_in_ranks(from, width, length, counts, displacements);
  move_rows(from, width, column, packed, 0);
  MPI_Allgatherv(packed, counts[grid.row], MPI_DOUBLE, gathered, counts, displacements, MPI_DOUBLE, grid.in_column);
  for (int i = 0; i < width; ++i) {
    const int rank = owner(from[i], block, grid.rows);
    rows[i] = gathered + displacements[rank];
    displacements[rank] += length;
  }
  // The rows that leave the top, by their new owners, which is the order that MPI_Scatterv takes them in.
  count_in_ranks(to + width, moves - width, length, counts, displacements);
  if (grid.row == top)
    for (int i = width; i < moves; ++i) {
      const int rank = owner(to[i], block, grid.rows);
      memcpy(packed + displacements[rank], own_row(own_index(from[i], block, grid.rows)) + column,
             length * sizeof *packed);
      displacements[rank] += length;
    }
  if (grid.row == top) charge(0, 16.0 * (moves - width) * length);
  count_in_ranks(to + width, moves - width, length, counts, displacements);
  MPI_Scatterv(packed, counts, displacements, MPI_DOUBLE, others, counts[grid.row], MPI_DOUBLE, top, grid.in_column);
  move_rows(to + width, moves - width, column, others, 1);
  free(others);
  free(packed);
  free(counts);
  free(to);
}

// What is right of the panel: the rows of the top are solved for, by every rank for itself; the rest is less their
// product with what is left of it.
static void update(const Panel* panel, double** rows, int column) {
  const int width = panel->width, length = own_columns - column;
  const int begin = rows_before(panel->first), below = rows_before(panel->first + width);
#ifdef _OPENMP
#pragma omp parallel
#endif
  {
    const int left = (int)((long)length * this_thread() / threads());
    const int right = (int)((long)length * (this_thread() + 1) / threads());
    for (int j = 1; j < width; ++j)
      for (int t = 0; t < j; ++t) {
        const double factor = panel->top[(long)j * width + t];
        for (int c = left; c < right; ++c) rows[j][c] -= factor * rows[t][c];
      }
    for (int i = below; i < own_rows; ++i) {
      double* row = own_row(i) + column;
      const double* factors = panel->low + (long)(i - begin) * width;
      for (int t = 0; t < width; ++t)
        for (int c = left; c < right; ++c) row[c] -= factors[t] * rows[t][c];
    }
    charge((double)(right - left) * width * (width - 1.0 + 2.0 * (own_rows - below)), 0);
  }
  if (owner(panel->first, block, grid.rows) == grid.row) {
    for (int j = 0; j < width; ++j) memcpy(own_row(begin + j) + column, rows[j], length * sizeof(double));
    charge(0, 16.0 * width * length);
  }
}

static void factor_all(void) {
  Panel panel;
  panel.data = allocate(((long)block + (long)block * block + (long)own_rows * block) * sizeof(double));
  double* gathered = allocate((long)block * own_columns * sizeof *gathered);
  double** rows = allocate(block * sizeof *rows);
  for (int first = 0; first < order; first += block) {
    panel.first = first;
    panel.width = order - first < block ? order - first : block;
    panel.height = own_rows - rows_before(first);
    panel.pivots = panel.data;
    panel.top = panel.pivots + panel.width;
    panel.low = panel.top + (long)panel.width * panel.width;
    if (owner(first, block, grid.columns) == grid.column) factor(&panel);
    pass_on(&panel);
    const int column = columns_before(first + panel.width);
    exchange_rows(&panel, column, gathered, rows);
    update(&panel, rows, column);
  }
  free(rows);
  free(gathered);
  free(panel.data);
}

// From the last block up: its row's ranks add up what they know, and tell the block's numbers to their column.
static void substitute(void) {
  double* sums = allocate(2 * block * sizeof *sums);
  double* numbers = sums + block;
  for (int first = (order - 1) / block * block; first >= 0; first -= block) {
    const int width = order - first < block ? order - first : block;
    const int row = owner(first, block, grid.rows), column = owner(first, block, grid.columns);
    if (grid.row == row) {
      const int begin = rows_before(first), after = columns_before(first + width), last = columns_before(order);
      for (int j = 0; j < width; ++j) {
        sums[j] = last < own_columns ? own_row(begin + j)[last] : 0;
        for (int c = after; c < last; ++c) sums[j] -= own_row(begin + j)[c] * solution[c];
      }
      charge(0, 8.0 * width * (last - after));
      MPI_Reduce(sums, numbers, width, MPI_DOUBLE, MPI_SUM, column, grid.in_row);
    }
    if (grid.column != column) continue;
    double* own = solution + columns_before(first);
    if (grid.row == row) {
      for (int j = width - 1; j >= 0; --j) {
        const double* above = own_row(rows_before(first) + j) + columns_before(first);
        own[j] = numbers[j];
        for (int t = j + 1; t < width; ++t) own[j] -= above[t] * own[t];
        own[j] /= above[j];
      }
      charge(0, 8.0 * width * width / 2);
    }
    MPI_Bcast(own, width, MPI_DOUBLE, row, grid.in_column);
  }
  free(sums);
}

// What all threads of a rank compute in a second if they do nothing else.
static double peak(void) {
  const double flops = 1e6, start = MPI_Wtime();
  double all = flops;
#ifdef _OPENMP
#pragma omp parallel
#endif
  {
    hindcast_compute_flops(flops);
    if (this_thread() == 0) all = flops * threads();
  }
  return all / (MPI_Wtime() - start);
}

static double largest(double value) {
  double all;
  MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

static double larger(double a, double b) { return a > b ? a : b; }

// |Ax - b| / (eps (|A| |x| + |b|) n) by largest numbers: some 16 at most if the method is stable.
static double residual(void) {
  const int last = columns_before(order);
  double *sums = allocate(2 * own_rows * sizeof *sums), x_largest = 0, b_largest = 0;
  double* mine = allocate(2 * own_rows * sizeof *mine);
  for (int c = 0; c < last; ++c) x_largest = larger(x_largest, fabs(solution[c]));
  for (int i = 0; i < own_rows; ++i)
    for (int c = 0; c < own_columns; ++c) {
      const double a = element(whole_row(i), whole_column(c));
      mine[i] += c < last ? a * solution[c] : -a;
      if (c < last) mine[own_rows + i] += fabs(a);
      if (c == last) b_largest = larger(b_largest, fabs(a));
    }
  MPI_Allreduce(mine, sums, 2 * own_rows, MPI_DOUBLE, MPI_SUM, grid.in_row);
  double difference = 0, norm = 0;
  for (int i = 0; i < own_rows; ++i) {
    difference = larger(difference, fabs(sums[i]));
    norm = larger(norm, sums[own_rows + i]);
  }
  free(mine);
  free(sums);
  return largest(difference) / (DBL_EPSILON * (largest(norm) * largest(x_largest) + largest(b_largest)) * order);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  order = argc > 1 ? atoi(argv[1]) : 200;
  block = argc > 2 ? atoi(argv[2]) : 16;
  const int rows = argc > 3 && atoi(argv[3]) > 0 ? atoi(argv[3]) : squarest_rows(size);
  const int is_table = argc > 4 && strcmp(argv[4], "table") == 0;
  if (order < 1 || block < 1 || size % rows != 0) {
    fprintf(stderr, "lu: an order and a block of 1 or more, and rows that divide %d ranks\n", size);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  grid = make_grid(rows);
  own_rows = rows_before(order);
  own_columns = columns_before(order + 1);
  matrix = allocate(((long)own_rows * own_columns + 1) * sizeof *matrix);
  solution = allocate((own_columns + 1) * sizeof *solution);
  for (int i = 0; i < own_rows; ++i)
    for (int c = 0; c < own_columns; ++c) own_row(i)[c] = element(whole_row(i), whole_column(c));

  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  factor_all();
  substitute();
  const double time = largest(MPI_Wtime() - start), error = residual();
  // As LINPACK counts them.
  const double rate = (2.0 / 3 * order * order * order + 1.5 * order * order) / time;
  const double efficiency = rate / (size * peak());
  if (grid.row == 0 && grid.column == 0 && is_table)
    printf("order,ranks,time_us,efficiency\n%d,%d,%.6f,%.6f\n", order, size, time * 1e6, efficiency);
  else if (grid.row == 0 && grid.column == 0)
    printf("order %d on %d x %d ranks: %s, residual %.4f, %.3f ms, %.2f Mflop/s, %.1f %% of the peak\n", order, rows,
           size / rows, error < 16 ? "right" : "WRONG", error, time * 1e3, rate / 1e6, efficiency * 100);
  free(solution);
  free(matrix);
  free_grid(&grid);
  MPI_Finalize();
  return !(error < 16);
}
