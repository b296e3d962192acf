/* For programs that try a collective on communicators of 1 to 33 ranks and of 64, blocking or not. They run on 64
 * ranks; or on all ranks of up to 128, if they are told so. */
#ifndef HINDCAST_TESTS_HARNESS_H
#define HINDCAST_TESTS_HARNESS_H

#include <string.h>

#include "check.h"

enum { most = 128, in_a_row = 64 };

static MPI_Comm comm;
static int n, rank;
static int nonblocking;
static int persistent;
static int on_world_only;
static int turn; /* of completing in one way or another: the same on all ranks */

/* A nonblocking call is completed in one way or another; beside it goes a message of the program's own. What is
 * persistent is inactive then, and freed. */
static void complete(MPI_Request* request) {
  int flag = 0, token = rank, received = -1;
  MPI_Status status;
  MPI_Request extra[3];
  switch (turn++ % 4) {
    case 0:
      MPI_Wait(request, &status);
      break;
    case 1:
      while (!flag) MPI_Test(request, &flag, MPI_STATUS_IGNORE);
      break;
    case 2:
      MPI_Irecv(&received, 1, MPI_INT, (rank + n - 1) % n, 77, comm, &extra[0]);
      MPI_Isend(&token, 1, MPI_INT, (rank + 1) % n, 77, comm, &extra[1]);
      extra[2] = *request;
      MPI_Waitall(3, extra, MPI_STATUSES_IGNORE);
      CHECK_INT(received, (rank + n - 1) % n);
      *request = extra[2];
      break;
    default:
      MPI_Sendrecv(&token, 1, MPI_INT, (rank + 1) % n, 78, &received, 1, MPI_INT, (rank + n - 1) % n, 78, comm,
                   MPI_STATUS_IGNORE);
      CHECK_INT(received, (rank + n - 1) % n);
      MPI_Waitany(1, request, &flag, MPI_STATUS_IGNORE);
      CHECK_INT(flag, 0);
  }
  if (persistent) {
    MPI_Test(request, &flag, &status);
    CHECK(flag && status.MPI_SOURCE == MPI_ANY_SOURCE);
    MPI_Request_free(request);
  }
  CHECK(*request == MPI_REQUEST_NULL);
}

#define CALL(name, iname, ...)                                 \
  do {                                                         \
    if (nonblocking) {                                         \
      MPI_Request request;                                     \
      iname(__VA_ARGS__, comm, &request);                      \
      complete(&request);                                      \
    } else if (persistent) {                                   \
      MPI_Request request;                                     \
      name##_init(__VA_ARGS__, comm, MPI_INFO_NULL, &request); \
      MPI_Start(&request);                                     \
      complete(&request);                                      \
    } else {                                                   \
      name(__VA_ARGS__, comm);                                 \
    }                                                          \
  } while (0)

UNUSED static void wipe(int* data, int elements) { memset(data, 0xff, sizeof(int) * elements); }

/* Every size from 1 to 33 is in one row, as several that are not more than 64 together. */
static const int rows[][8] = {
    {64},         {33, 31},     {32, 30, 2},  {29, 28, 7},         {27, 26, 11},
    {25, 24, 15}, {23, 22, 19}, {21, 20, 18}, {17, 16, 14, 13, 4}, {12, 10, 9, 8, 6, 5, 3, 1}};

/* Whether some of the ranks, but not all, share a node. What it calls has no algorithm of two levels. */
UNUSED static int has_levels(void) {
  static int firsts[most];
  MPI_Comm node;
  int in_node, nodes = 0;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &in_node);
  MPI_Comm_free(&node);
  for (int r = 0; r < n; ++r) firsts[r] = in_node == 0;
  MPI_Reduce_scatter_block(firsts, &nodes, 1, MPI_INT, MPI_SUM, comm);
  return nodes > 1 && nodes < n;
}

/* Calls the test once for each size, with comm, n and rank set; or only for all ranks. */
static void on_all_sizes(void (*test)(void)) {
  if (on_world_only) {
    comm = MPI_COMM_WORLD;
    n = world_size();
    rank = world_rank();
    test();
    return;
  }
  CHECK_INT(world_size(), in_a_row);
  for (int row = 0; row < (int)(sizeof rows / sizeof rows[0]); ++row) {
    int color = 0, end = rows[row][0];
    while (color < 8 && end <= world_rank())
      end += color + 1 < 8 && rows[row][color + 1] > 0 ? rows[row][++color] : in_a_row;
    if (end > in_a_row) color = 8; /* one of those left over */
    MPI_Comm_split(MPI_COMM_WORLD, color, -world_rank(), &comm);
    MPI_Comm_size(comm, &n);
    MPI_Comm_rank(comm, &rank);
    turn = 0;
    test();
    MPI_Comm_free(&comm);
  }
}

#endif
