/* Heat in a square plate whose upper edge is held at 1 and whose other edges at 0, by Jacobi's iteration, with SHMEM:
 * the plate is divided into blocks of rows, and each PE puts its outermost rows into its neighbours' memory. It tells
 * them so first by flags, which it puts there after the rows; then by a barrier of all PEs. Afterwards every PE works
 * out the whole plate alone, and its part must be equal to the last bit. shmem_heat [CELLS [STEPS]] */
#include <hindcast.h>
#include <mpp/shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { above, below, sides };

/* What neighbours put here, for steps in turn: while one row is used the next one may come. The one after that they put
 * only when they have seen that this PE has gone on. */
typedef struct {
  double* row[2][sides];
  long* step; /* [sides]: how many rows have come from there */
} Rims;

typedef struct {
  int rows, columns; /* without the edges */
  double *now, *next;
} Plate;

static double* row_of(const Plate* plate, double* values, int row) {
  return &values[(size_t)(row + 1) * (plate->columns + 2) + 1];
}

static Plate make_plate(int rows, int columns, int has_upper_edge) {
  const size_t cells = (size_t)(rows + 2) * (columns + 2);
  const Plate plate = {rows, columns, calloc(cells, sizeof(double)), calloc(cells, sizeof(double))};
  for (int column = 0; column < columns && has_upper_edge; ++column)
    row_of(&plate, plate.now, -1)[column] = row_of(&plate, plate.next, -1)[column] = 1;
  return plate;
}

static void free_plate(const Plate* plate) {
  free(plate->now);
  free(plate->next);
}

static void compute(const Plate* plate) {
  for (int row = 0; row < plate->rows; ++row) {
    const double *here = row_of(plate, plate->now, row), *up = row_of(plate, plate->now, row - 1),
                 *down = row_of(plate, plate->now, row + 1);
    double* next = row_of(plate, plate->next, row);
    for (int i = 0; i < plate->columns; ++i) next[i] = 0.25 * (up[i] + down[i] + here[i - 1] + here[i + 1]);
  }
  hindcast_compute_flops(4.0 * plate->rows * plate->columns);
}

static void turn(Plate* plate) {
  double* last = plate->now;
  plate->now = plate->next;
  plate->next = last;
}

static Rims make_rims(int columns) {
  Rims rims;
  for (int i = 0; i < 2 * sides; ++i) rims.row[i / sides][i % sides] = shmalloc(columns * sizeof(double));
  rims.step = shmalloc(sides * sizeof(long));
  rims.step[above] = rims.step[below] = 0;
  shmem_barrier_all();
  return rims;
}

typedef enum { by_flags, by_barriers, ways } Way;

static void put_rows(const Plate* plate, const Rims* rims, long step, const int neighbour[sides], Way way) {
  for (int side = 0; side < sides; ++side)
    if (neighbour[side] >= 0)
      shmem_double_put(rims->row[step % 2][1 - side], row_of(plate, plate->now, side == above ? 0 : plate->rows - 1),
                       plate->columns, neighbour[side]);
  if (way == by_barriers) {
    shmem_barrier_all();
    return;
  }
  shmem_fence();
  for (int side = 0; side < sides; ++side)
    if (neighbour[side] >= 0) shmem_long_p(&rims->step[1 - side], step + 1, neighbour[side]);
}

static void take_rows(const Plate* plate, const Rims* rims, long step, const int neighbour[sides], Way way) {
  for (int side = 0; side < sides; ++side) {
    if (neighbour[side] < 0) continue;
    if (way == by_flags) shmem_long_wait_until(&rims->step[side], _SHMEM_CMP_GE, step + 1);
    memcpy(row_of(plate, plate->now, side == above ? -1 : plate->rows), rims->row[step % 2][side],
           plate->columns * sizeof(double));
  }
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The time that it takes. */
static double run_steps(Plate* plate, const Rims* rims, int steps, Way way) {
  const int me = shmem_my_pe();
  const int neighbour[sides] = {me - 1, me + 1 < shmem_n_pes() ? me + 1 : -1};
  rims->step[above] = rims->step[below] = 0;
  shmem_barrier_all();
  const double start = seconds();
  for (long step = 0; step < steps; ++step) {
    put_rows(plate, rims, step, neighbour, way);
    take_rows(plate, rims, step, neighbour, way);
    compute(plate);
    turn(plate);
  }
  shmem_barrier_all();
  return seconds() - start;
}

int main(int argc, char** argv) {
  static long sync[_SHMEM_REDUCE_SYNC_SIZE], wrong;
  static long work[_SHMEM_REDUCE_MIN_WRKDATA_SIZE];
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  const int cells = argc > 1 ? atoi(argv[1]) : 64, steps = argc > 2 ? atoi(argv[2]) : 50;
  const int begin = (int)((long)me * cells / pes), end = (int)((long)(me + 1) * cells / pes);
  for (int i = 0; i < _SHMEM_REDUCE_SYNC_SIZE; ++i) sync[i] = _SHMEM_SYNC_VALUE;
  if (cells < pes) {
    if (me == 0) fprintf(stderr, "%d rows of cells are too few for %d PEs\n", cells, pes);
    return 1;
  }

  Plate whole = make_plate(cells, cells, 1);
  for (int step = 0; step < steps; ++step, turn(&whole)) compute(&whole);
  const Rims rims = make_rims(cells);
  double taken[ways];
  for (Way way = 0; way < ways; ++way) {
    Plate mine = make_plate(end - begin, cells, me == 0);
    taken[way] = run_steps(&mine, &rims, steps, way);
    for (int row = 0; row < mine.rows; ++row)
      wrong +=
          memcmp(row_of(&mine, mine.now, row), row_of(&whole, whole.now, begin + row), cells * sizeof(double)) != 0;
    free_plate(&mine);
  }
  free_plate(&whole);
  shmem_long_sum_to_all(&wrong, &wrong, 1, 0, 0, pes, work, sync);
  if (me == 0)
    printf("%d x %d cells on %d PEs: %s, %.2f us a step by flags, %.2f by barriers\n", cells, cells, pes,
           wrong == 0 ? "right" : "WRONG", taken[by_flags] * 1e6 / steps, taken[by_barriers] * 1e6 / steps);
  return 0;
}
