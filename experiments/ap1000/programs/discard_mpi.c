// A broadcast to the first MEMBERS cells while the ring buffers of all others are empty, or full.
//   discard_mpi MEMBERS empty|full
// Prints the time of each member. A broadcast that needed room in the other cells would wait for it.
#include <cellos.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOT = 0, BYTES = 8000, LARGE = 1000000, RING = 4 << 20, TAG = 1 };
static char data[LARGE];

// With messages of CellOS that a cell sends to itself, until not even the broadcast has room.
static void fill_ring(void) {
  int left = RING;
  for (; left > LARGE + 1000; left -= LARGE + 16) l_asend(l_cellid(), TAG, data, LARGE);
  l_asend(l_cellid(), TAG, data, left - 1000);
}
static void empty_ring(void) {
  int left = RING;
  for (; left > 1000; left -= LARGE + 16) l_arecv(l_cellid(), TAG, data, LARGE, NULL);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, cells;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &cells);
  const int members = argc > 1 ? atoi(argv[1]) : cells;
  const int is_member = rank<members, fills = argc> 2 && strcmp(argv[2], "full") == 0;
  MPI_Comm group;
  MPI_Comm_split(MPI_COMM_WORLD, is_member, 0, &group);
  if (fills && !is_member) fill_ring();
  sync();
  const double start = MPI_Wtime();
  if (is_member) MPI_Bcast(data, BYTES, MPI_BYTE, ROOT, group);
  const double mine = (MPI_Wtime() - start) * 1e6;
  sync();
  if (fills && !is_member) empty_ring();
  double* all = malloc(cells * sizeof *all);
  MPI_Gather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, ROOT, MPI_COMM_WORLD);
  if (rank == ROOT) printf("members,rank,time_us\n");
  for (int i = 0; rank == ROOT && i < members; ++i) printf("%d,%d,%.6f\n", members, i, all[i]);
  MPI_Finalize();
  return 0;
}
