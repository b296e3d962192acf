// Solves Poisson's equation on a square grid by conjugate gradients. Each rank has some rows of the grid; a step takes
// the rows next to them from two neighbours, and two sums over all ranks.   conjugate_gradient [POINTS]
// Right if the solution is the one that the right-hand side was made from. With -fopenmp a rank's threads share its
// rows.
#include <hindcast.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int width, rows;  // of this rank's part; in memory a row above and one below belong to it
static int above, below;

static double* row(double* field, int i) { return field + (long)(i + 1) * width; }
static double* make_field(void) { return calloc((long)(rows + 2) * width, sizeof(double)); }

static void exchange_rows(double* field) {
  MPI_Sendrecv(row(field, 0), width, MPI_DOUBLE, above, 0, row(field, rows), width, MPI_DOUBLE, below, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(row(field, rows - 1), width, MPI_DOUBLE, below, 1, row(field, -1), width, MPI_DOUBLE, above, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// The five-point Laplacian, with 0 around the square.
static void apply(double* field, double* result) {
  exchange_rows(field);
#pragma omp parallel for
  for (int i = 0; i < rows; ++i) {
    const double *up = row(field, i - 1), *here = row(field, i), *down = row(field, i + 1);
    for (int j = 0; j < width; ++j)
      row(result, i)[j] = 4 * here[j] - up[j] - down[j] - (j > 0 ? here[j - 1] : 0) - (j < width - 1 ? here[j + 1] : 0);
    hindcast_compute_flops(5.0 * width);
  }
}

static double dot(double* a, double* b) {
  double mine = 0, all = 0;
#pragma omp parallel for reduction(+ : mine)
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < width; ++j) mine += row(a, i)[j] * row(b, i)[j];
    hindcast_compute_flops(2.0 * width);
  }
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

// a += factor b, or a = factor a + b
static void add(double* a, double factor, double* b) {
#pragma omp parallel for
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < width; ++j) row(a, i)[j] += factor * row(b, i)[j];
    hindcast_compute_flops(2.0 * width);
  }
}
static void scale_and_add(double* a, double factor, double* b) {
#pragma omp parallel for
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < width; ++j) row(a, i)[j] = factor * row(a, i)[j] + row(b, i)[j];
    hindcast_compute_flops(2.0 * width);
  }
}

// Until the residual is as small as asked for; gives the number of steps.
static int solve(double* x, double* residual, double relative) {
  double *direction = make_field(), *image = make_field();
  scale_and_add(direction, 0, residual);
  double now = dot(residual, residual);
  const double goal = relative * relative * now;
  int steps = 0;
  for (; now > goal && steps < 10 * width; ++steps) {
    apply(direction, image);
    const double length = now / dot(direction, image);
    add(x, length, direction);
    add(residual, -length, image);
    const double before = now;
    now = dot(residual, residual);
    scale_and_add(direction, now / before, residual);
  }
  free(direction);
  free(image);
  return steps;
}

static double solution_at(int i, int j, int points) {
  const double x = (j + 1.0) / (points + 1), y = (i + 1.0) / (points + 1);
  return x * (1 - x) * y * y * (1 - y) + x * x * sin(9 * y);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  width = argc > 1 ? atoi(argv[1]) : 64;
  if (width < ranks) {
    if (rank == 0) fprintf(stderr, "conjugate_gradient: %d rows are too few for %d ranks\n", width, ranks);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const int first = width * rank / ranks;
  rows = width * (rank + 1) / ranks - first;
  above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  below = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;

  double *exact = make_field(), *right_side = make_field(), *x = make_field();
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < width; ++j) row(exact, i)[j] = solution_at(first + i, j, width);
  apply(exact, right_side);

  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  const int steps = solve(x, right_side, 1e-10);
  const double elapsed = MPI_Wtime() - start;

  double error = 0, largest = 0;
  for (long i = 0; i < (long)rows * width; ++i) error = fmax(error, fabs(row(x, 0)[i] - row(exact, 0)[i]));
  MPI_Allreduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  const int right = largest < 1e-7;
  if (rank == 0)
    printf("%d x %d points on %d ranks: %s, %d steps, %.3f us each\n", width, width, ranks, right ? "right" : "WRONG",
           steps, elapsed / steps * 1e6);
  free(exact);
  free(right_side);
  free(x);
  MPI_Finalize();
  return !right;
}
