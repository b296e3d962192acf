/* A token goes round all nodes of a simulated AP3000, first by APlib, then by MPI, which stand on one message layer;
 * then node 0 has a vector of so many bytes broadcast by both.   aplib_and_mpi [BYTES] */
#include <aplib.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TYPE = 1 };
static int me, nodes;

static int round_by_aplib(int token) {
  if (me == 0) l_asend(1 % nodes, TYPE, &token, sizeof token);
  l_arecv((me + nodes - 1) % nodes, TYPE, &token, sizeof token, NULL);
  token += me;
  if (me != 0) l_asend((me + 1) % nodes, TYPE, &token, sizeof token);
  return token;
}

static int round_by_mpi(int token) {
  const int before = (me + nodes - 1) % nodes, after = (me + 1) % nodes;
  if (me == 0) MPI_Send(&token, 1, MPI_INT, after, TYPE, MPI_COMM_WORLD);
  MPI_Recv(&token, 1, MPI_INT, before, TYPE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  token += me;
  if (me != 0) MPI_Send(&token, 1, MPI_INT, after, TYPE, MPI_COMM_WORLD);
  return token;
}

static void broadcast_by_aplib(char* data, int bytes) {
  if (me == 0)
    cbroad(TYPE, data, bytes);
  else
    l_arecv(0, TYPE, data, bytes, NULL);
}

static void broadcast_by_mpi(char* data, int bytes) { MPI_Bcast(data, bytes, MPI_CHAR, 0, MPI_COMM_WORLD); }

/* On node 0 the numbers of all others have been added. */
static const char* verdict(int token) { return token == nodes * (nodes - 1) / 2 ? "right" : "WRONG"; }

/* Of the node that takes longest, and all have it. */
static double longest_us(double since) {
  double took = (l_clock() - since) * 1e6;
  xy_dmax(&took, 1);
  return took;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  me = l_cellid(), nodes = l_ncells();
  const int bytes = argc > 1 ? atoi(argv[1]) : 0;
  char* data = calloc(bytes + 1, 1);
  double began = l_clock();
  const int by_aplib = round_by_aplib(0);
  if (me == 0) printf("a round by APlib: %s, %.0f us\n", verdict(by_aplib), (l_clock() - began) * 1e6);
  began = l_clock();
  const int by_mpi = round_by_mpi(0);
  if (me == 0) printf("a round by MPI:   %s, %.0f us\n", verdict(by_mpi), (l_clock() - began) * 1e6);
  sync();
  began = l_clock();
  broadcast_by_aplib(data, bytes);
  const double aplib_us = longest_us(began);
  sync();
  began = l_clock();
  broadcast_by_mpi(data, bytes);
  const double mpi_us = longest_us(began);
  if (me == 0) printf("a broadcast of %d bytes: %.0f us by APlib, %.0f us by MPI\n", bytes, aplib_us, mpi_us);
  free(data);
  MPI_Finalize();
  return 0;
}
