/* For programs that test themselves: what must hold, and the line that says that all did. */
#ifndef HINDCAST_TESTS_CHECK_H
#define HINDCAST_TESTS_CHECK_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define UNUSED __attribute__((unused)) /* not every program uses all of them */

#define CHECK(condition)                                                                          \
  do {                                                                                            \
    if (!(condition)) {                                                                           \
      int check_rank;                                                                             \
      MPI_Comm_rank(MPI_COMM_WORLD, &check_rank);                                                 \
      fprintf(stderr, "%s:%d: rank %d: wrong: %s\n", __FILE__, __LINE__, check_rank, #condition); \
      MPI_Abort(MPI_COMM_WORLD, 99);                                                              \
    }                                                                                             \
  } while (0)

#define CHECK_INT(actual, expected)                                                                             \
  do {                                                                                                          \
    const long check_a = (long)(actual), check_e = (long)(expected);                                            \
    if (check_a != check_e) {                                                                                   \
      int check_rank;                                                                                           \
      MPI_Comm_rank(MPI_COMM_WORLD, &check_rank);                                                               \
      fprintf(stderr, "%s:%d: rank %d: %s is %ld, not %ld\n", __FILE__, __LINE__, check_rank, #actual, check_a, \
              check_e);                                                                                         \
      MPI_Abort(MPI_COMM_WORLD, 99);                                                                            \
    }                                                                                                           \
  } while (0)

/* A call that must give an error of this class, under a handler that returns. */
#define FAILS(call, error_class) CHECK_INT(class_of(call), error_class)

UNUSED static int class_of(int code) {
  int error_class = -1;
  MPI_Error_class(code, &error_class);
  return error_class;
}

/* What element `index` of a message holds: who sent it, under which tag, and where it stood. */
UNUSED static int element(int source, int tag, int index) { return source * 1000003 + tag * 1009 + index; }

UNUSED static void fill(int* data, int count, int source, int tag) {
  for (int i = 0; i < count; ++i) data[i] = element(source, tag, i);
}

UNUSED static void check_elements(const int* data, int count, int source, int tag) {
  for (int i = 0; i < count; ++i) CHECK_INT(data[i], element(source, tag, i));
}

UNUSED static void check_status(const MPI_Status* status, int source, int tag, int count) {
  int received;
  MPI_Get_count(status, MPI_INT, &received);
  CHECK_INT(status->MPI_SOURCE, source);
  CHECK_INT(status->MPI_TAG, tag);
  CHECK_INT(received, count);
}

UNUSED static int world_rank(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

UNUSED static int world_size(void) {
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/* The last thing that a program does. The times are not checked, but must be the same however the run is made. */
UNUSED static int finish(void) {
  printf("rank %d has come to %.12f s\n", world_rank(), MPI_Wtime());
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() == 0) printf("ok\n");
  MPI_Finalize();
  return 0;
}

#endif
