// The spectral transform of weather models on the sphere: from spherical harmonics to a grid of Gaussian latitudes, and
// back. Wave numbers m are dealt out to ranks for the Legendre transform; an all-to-all turns that into latitudes for
// the Fourier transform along longitudes.   spectral [TRUNCATION [LEVELS]] Right if the way there and back gives the
// harmonics that it began with. With -fopenmp a rank's threads share levels, and latitudes of the grid.
#include <complex.h>
#include <hindcast.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef double complex Number;

static const double pi = 3.14159265358979323846;
static int ranks, rank, truncation, levels, longitudes, latitudes, own_latitudes, own_waves, waves_each;
static double *nodes, *weights;  // by latitude

enum Part { legendre, turning, fourier, parts };
static double spent[parts];

static int wave_of(int of_rank, int k) { return k * ranks + of_rank; }

// Nodes and weights of the integral over sines of latitudes, by Newton's method.
static void find_nodes(void) {
  for (int i = 0; i < latitudes; ++i) {
    double x = cos(pi * (i + 0.75) / (latitudes + 0.5)), slope = 1;
    for (int round = 0; round < 20; ++round) {
      double before = 1, now = x;
      for (int n = 2; n <= latitudes; ++n) {
        const double next = ((2 * n - 1) * x * now - (n - 1) * before) / n;
        before = now;
        now = next;
      }
      slope = latitudes * (x * now - before) / (x * x - 1);
      x -= now / slope;
    }
    nodes[i] = x;
    weights[i] = 2 / ((1 - x * x) * slope * slope);
  }
}

// Normalized associated Legendre functions of one m and all n from m on, at one latitude.
static void functions_at(double x, int m, double* values) {
  double first = sqrt(0.5);
  for (int k = 1; k <= m; ++k) first *= sqrt((2 * k + 1.0) / (2 * k) * (1 - x * x));
  double before = 0, now = first;
  values[0] = now;
  for (int n = m + 1; n <= truncation; ++n) {
    const double e = sqrt((4.0 * n * n - 1) / ((double)n * n - m * m));
    const double f = n == m + 1 ? 0 : sqrt((((double)n - 1) * (n - 1) - m * m) / (4.0 * (n - 1) * (n - 1) - 1));
    const double next = e * (x * now - f * before);
    before = now;
    now = next;
    values[n - m] = now;
  }
}

static Number* harmonic(Number* harmonics, int k, int n, int level) {
  return harmonics + ((long)k * (truncation + 1) + n) * levels + level;
}
static Number* at_latitude(Number* waves, int k, int latitude, int level) {
  return waves + ((long)latitude * waves_each + k) * levels + level;
}

// `tables` has the functions of all own waves at all latitudes.
static void transform_latitudes(Number* harmonics, Number* waves, const double* tables, int is_back) {
#pragma omp parallel for
  for (int level = 0; level < levels; ++level) {
    double operations = 0;
    for (int k = 0; k < own_waves; ++k) {
      const int m = wave_of(rank, k);
      for (int latitude = 0; latitude < latitudes; ++latitude) {
        const double* values = tables + ((long)k * latitudes + latitude) * (truncation + 1);
        Number* const wave = at_latitude(waves, k, latitude, level);
        if (!is_back) *wave = 0;
        for (int n = m; n <= truncation; ++n)
          if (is_back)
            *harmonic(harmonics, k, n, level) += weights[latitude] * values[n - m] * *wave;
          else
            *wave += values[n - m] * *harmonic(harmonics, k, n, level);
      }
      operations += 4.0 * (truncation - m + 1) * latitudes;
    }
    hindcast_compute_flops(operations);
  }
}

// From all latitudes of own waves to all waves of own latitudes, or back: blocks [latitude][wave][level] of each pair.
static void turn(Number* from, Number* to) {
  const int block = own_latitudes * waves_each * levels * 2;
  MPI_Alltoall(from, block, MPI_DOUBLE, to, block, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void transform_line(Number* line, int direction) {
  for (int i = 1, j = 0; i < longitudes; ++i) {
    int bit = longitudes >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      const Number other = line[i];
      line[i] = line[j];
      line[j] = other;
    }
  }
  for (int length = 2; length <= longitudes; length *= 2)
    for (int k = 0; k < length / 2; ++k) {
      const Number turned = cexp(direction * 2 * pi * I * k / length);
      for (int i = k; i < longitudes; i += length) {
        const Number low = line[i], high = turned * line[i + length / 2];
        line[i] = low + high;
        line[i + length / 2] = low - high;
      }
    }
}

static Number* turned_wave(Number* waves, int m, int latitude, int level) {
  return waves + (((long)(m % ranks) * own_latitudes + latitude) * waves_each + m / ranks) * levels + level;
}

// Real values on the grid [latitude][level][longitude].
static void transform_longitudes(Number* waves, double* grid, int is_back) {
#pragma omp parallel for collapse(2)
  for (int latitude = 0; latitude < own_latitudes; ++latitude)
    for (int level = 0; level < levels; ++level) {
      Number* line = malloc(longitudes * sizeof *line);
      double* values = grid + ((long)latitude * levels + level) * longitudes;
      for (int i = 0; i < longitudes; ++i) line[i] = is_back ? values[i] : 0;
      for (int m = 0; !is_back && m <= truncation; ++m) {
        line[m] = *turned_wave(waves, m, latitude, level);
        if (m > 0) line[longitudes - m] = conj(line[m]);
      }
      transform_line(line, is_back ? -1 : 1);
      for (int i = 0; !is_back && i < longitudes; ++i) values[i] = creal(line[i]);
      for (int m = 0; is_back && m <= truncation; ++m) *turned_wave(waves, m, latitude, level) = line[m] / longitudes;
      hindcast_compute_flops(2.5 * longitudes * log2(longitudes));
      free(line);
    }
}

static Number expected(int m, int n, int level) {
  return m == 0 ? cos(n + level) : cos(n + 3 * m + level) + I * sin(2 * n + m - level);
}

static double stop(double start, enum Part part) {
  const double now = MPI_Wtime();
  spent[part] += now - start;
  return now;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  truncation = argc > 1 ? atoi(argv[1]) : 21;
  levels = argc > 2 ? atoi(argv[2]) : 4;
  for (longitudes = 8; longitudes < 3 * truncation + 1; longitudes *= 2) continue;
  latitudes = longitudes / 2;
  if (truncation < 1 || levels < 1 || latitudes % ranks != 0) {
    if (rank == 0) fprintf(stderr, "spectral: %d latitudes are not divided by %d ranks\n", latitudes, ranks);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  own_latitudes = latitudes / ranks;
  waves_each = (truncation + ranks) / ranks;
  for (own_waves = 0; wave_of(rank, own_waves) <= truncation;) ++own_waves;

  nodes = malloc(latitudes * sizeof *nodes);
  weights = malloc(latitudes * sizeof *weights);
  find_nodes();
  double* tables = malloc((long)(own_waves + 1) * latitudes * (truncation + 1) * sizeof *tables);
  for (int k = 0; k < own_waves; ++k)
    for (int i = 0; i < latitudes; ++i)
      functions_at(nodes[i], wave_of(rank, k), tables + ((long)k * latitudes + i) * (truncation + 1));
  const long all_harmonics = (long)waves_each * (truncation + 1) * levels;
  const long all_waves = (long)latitudes * waves_each * levels;
  Number* harmonics = calloc(all_harmonics, sizeof *harmonics);
  Number *waves = calloc(all_waves, sizeof *waves), *turned = calloc(all_waves, sizeof *turned);
  double* grid = malloc((long)own_latitudes * levels * longitudes * sizeof *grid);
  for (int k = 0; k < own_waves; ++k)
    for (int n = wave_of(rank, k); n <= truncation; ++n)
      for (int level = 0; level < levels; ++level)
        *harmonic(harmonics, k, n, level) = expected(wave_of(rank, k), n, level);

  MPI_Barrier(MPI_COMM_WORLD);
  double at = MPI_Wtime();
  const double start = at;
  transform_latitudes(harmonics, waves, tables, 0);
  at = stop(at, legendre);
  turn(waves, turned);
  at = stop(at, turning);
  transform_longitudes(turned, grid, 0);
  transform_longitudes(turned, grid, 1);
  at = stop(at, fourier);
  turn(turned, waves);
  at = stop(at, turning);
  for (long i = 0; i < all_harmonics; ++i) harmonics[i] = 0;
  transform_latitudes(harmonics, waves, tables, 1);
  at = stop(at, legendre);
  double slowest = at - start, error = 0;

  for (int k = 0; k < own_waves; ++k)
    for (int n = wave_of(rank, k); n <= truncation; ++n)
      for (int level = 0; level < levels; ++level)
        error = fmax(error, cabs(*harmonic(harmonics, k, n, level) - expected(wave_of(rank, k), n, level)));
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0)
    printf(
        "T%d, %d levels on %d ranks: %s, %.3f ms there and back; on rank 0 Legendre %.3f, turning %.3f, Fourier %.3f\n",
        truncation, levels, ranks, error < 1e-9 ? "right" : "WRONG", slowest * 1e3, spent[legendre] * 1e3,
        spent[turning] * 1e3, spent[fourier] * 1e3);
  free(grid);
  free(turned);
  free(waves);
  free(harmonics);
  free(tables);
  free(weights);
  free(nodes);
  MPI_Finalize();
  return error >= 1e-9;
}
