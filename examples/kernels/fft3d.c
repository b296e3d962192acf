// The Fourier transform of a cube of complex numbers, there and back. Each rank has a slab of planes x = const, and
// transforms it along z and y; then an all-to-all of subarrays, which no rank has to pack by hand, turns the slabs into
// ones of planes y = const, to be transformed along x.   fft3d [POINTS]
// Right if the spectrum of two plane waves is two points, and the way back gives the waves.
#include <complex.h>
#include <hindcast.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef double complex Number;

static int points, ranks, rank, planes;  // planes of each rank
static const double pi = 3.14159265358979323846;

// In place, of a power of two of numbers that are `stride` apart.
static void transform_line(Number* line, long stride, int direction) {
  for (int i = 1, j = 0; i < points; ++i) {
    int bit = points >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      const Number other = line[i * stride];
      line[i * stride] = line[j * stride];
      line[j * stride] = other;
    }
  }
  for (int length = 2; length <= points; length *= 2)
    for (int k = 0; k < length / 2; ++k) {
      const Number turn = cexp(direction * 2 * pi * I * k / length);
      for (int i = k; i < points; i += length) {
        const Number low = line[i * stride], high = turn * line[(i + length / 2) * stride];
        line[i * stride] = low + high;
        line[(i + length / 2) * stride] = low - high;
      }
    }
}

static void charge_lines(long lines) { hindcast_compute_flops(5.0 * points * log2(points) * lines); }

static void transform_planes(Number* slab, int direction) {  // along z and y, in slabs [planes of x][y][z]
  for (long line = 0; line < (long)planes * points; ++line) transform_line(slab + line * points, 1, direction);
  for (long plane = 0; plane < planes; ++plane)
    for (long z = 0; z < points; ++z) transform_line(slab + plane * points * points + z, points, direction);
  charge_lines(2L * planes * points);
}

static void transform_columns(Number* slab, int direction) {  // along x, in slabs [x][planes of y][z]
  for (long i = 0; i < (long)planes * points; ++i) transform_line(slab + i, (long)planes * points, direction);
  charge_lines((long)planes * points);
}

// One rank's part of a slab [x][y][z] that has all y, or of one that has all x.
static MPI_Datatype part_of_slab(int of_rank, int has_all_y) {
  const int whole[3] = {has_all_y ? planes : points, has_all_y ? points : planes, points};
  const int part[3] = {planes, planes, points};
  const int start[3] = {has_all_y ? 0 : of_rank * planes, has_all_y ? of_rank * planes : 0, 0};
  MPI_Datatype type;
  MPI_Type_create_subarray(3, whole, part, start, MPI_ORDER_C, MPI_C_DOUBLE_COMPLEX, &type);
  MPI_Type_commit(&type);
  return type;
}

static void turn_slabs(Number* from, Number* to, int from_all_y) {
  MPI_Datatype *out = malloc(ranks * sizeof *out), *in = malloc(ranks * sizeof *in);
  int *ones = malloc(ranks * sizeof *ones), *zeros = calloc(ranks, sizeof *zeros);
  for (int peer = 0; peer < ranks; ++peer) {
    out[peer] = part_of_slab(peer, from_all_y);
    in[peer] = part_of_slab(peer, !from_all_y);
    ones[peer] = 1;
  }
  MPI_Alltoallw(from, ones, zeros, out, to, ones, zeros, in, MPI_COMM_WORLD);
  for (int peer = 0; peer < ranks; ++peer) {
    MPI_Type_free(&out[peer]);
    MPI_Type_free(&in[peer]);
  }
  free(out);
  free(in);
  free(ones);
  free(zeros);
}

// Two waves, each of a wave number in x, y and z.
static const int waves[2][3] = {{1, 2, 3}, {5, 0, 6}};
static Number wave(int which, int x, int y, int z) {
  const int* k = waves[which];
  return cexp(2 * pi * I * (k[0] * x + k[1] * y + k[2] * z) / points);
}

// In a slab [x][y][z] with all y.
static double error_of_waves(Number* slab) {
  double error = 0;
  for (int x = 0; x < planes; ++x)
    for (int y = 0; y < points; ++y)
      for (int z = 0; z < points; ++z) {
        const Number is = slab[((long)x * points + y) * points + z] / pow(points, 3);
        const int at = rank * planes + x;
        error = fmax(error, cabs(is - wave(0, at, y, z) - 0.5 * wave(1, at, y, z)));
      }
  return error;
}

// In a slab [x][y][z] with all x.
static double error_of_spectrum(Number* slab) {
  double error = 0;
  for (int x = 0; x < points; ++x)
    for (int y = 0; y < planes; ++y)
      for (int z = 0; z < points; ++z) {
        double should = 0;
        for (int which = 0; which < 2; ++which)
          if (x == waves[which][0] && rank * planes + y == waves[which][1] && z == waves[which][2])
            should = which == 0 ? 1 : 0.5;
        const Number is = slab[((long)x * planes + y) * points + z] / pow(points, 3);
        error = fmax(error, cabs(is - should));
      }
  return error;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  points = argc > 1 ? atoi(argv[1]) : 16;
  if (points < 8 || (points & (points - 1)) != 0 || points % ranks != 0) {
    if (rank == 0) fprintf(stderr, "fft3d: %d is no power of two from 8 on that %d ranks divide\n", points, ranks);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  planes = points / ranks;
  const long numbers = (long)planes * points * points;
  Number *by_x = malloc(numbers * sizeof *by_x), *by_y = malloc(numbers * sizeof *by_y);
  for (long i = 0; i < numbers; ++i) {
    const int x = rank * planes + (int)(i / points / points), y = (int)(i / points % points), z = (int)(i % points);
    by_x[i] = wave(0, x, y, z) + 0.5 * wave(1, x, y, z);
  }

  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  transform_planes(by_x, -1);
  const double computed = MPI_Wtime();
  turn_slabs(by_x, by_y, 1);
  const double turned = MPI_Wtime();
  transform_columns(by_y, -1);
  double times[2] = {MPI_Wtime() - start, turned - computed};
  double errors[2] = {error_of_spectrum(by_y)};

  transform_columns(by_y, 1);
  turn_slabs(by_y, by_x, 0);
  transform_planes(by_x, 1);
  errors[1] = error_of_waves(by_x);

  MPI_Allreduce(MPI_IN_PLACE, errors, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : times, times, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  const int right = errors[0] < 1e-12 && errors[1] < 1e-12;
  if (rank == 0)
    printf("%d^3 points on %d ranks: %s, %.3f ms there, of which %.3f ms to turn the slabs\n", points, ranks,
           right ? "right" : "WRONG", times[0] * 1e3, times[1] * 1e3);
  free(by_x);
  free(by_y);
  MPI_Finalize();
  return !right;
}
