// What the measuring programs share: an instant at which all ranks begin, and a clock that does not count itself.
#pragma once

#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;

// When all have come, rank 0 names an instant that is far enough ahead for all to hear of it, and all compute until
// then.
static void begin_together(void) {
  const double ahead = 1;
  MPI_Barrier(MPI_COMM_WORLD);
  double instant = MPI_Wtime() + ahead;
  MPI_Bcast(&instant, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  const double left = instant - MPI_Wtime();
  if (left < 0) {
    fprintf(stderr, "a broadcast took more than %g s\n", ahead);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  hindcast_compute_seconds(left);
}

// From when all begin until the last one is done, at rank 0.
static double time_together_us(void (*operation)(int bytes), int bytes) {
  begin_together();
  const double before = MPI_Wtime(), begun = MPI_Wtime();
  operation(bytes);
  const double mine = MPI_Wtime() - begun - (begun - before);
  begin_together();  // nothing is under way when the times are compared
  double longest = 0;
  MPI_Reduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  return longest * 1e6;
}

// At each of the lengths that are given from argument `first` on.
static void tell_times(void (*operation)(int bytes), int argc, char** argv, int first) {
  if (rank == 0) printf("ranks,bytes,time_us\n");
  for (int i = first; i < argc; ++i) {
    const int bytes = atoi(argv[i]);
    const double time_us = time_together_us(operation, bytes);
    if (rank == 0) printf("%d,%d,%.6f\n", ranks, bytes, time_us);
  }
}

static void begin(int* argc, char*** argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
}

static void fail(const char* what) {
  fprintf(stderr, "%s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}
