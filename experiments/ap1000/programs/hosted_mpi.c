// A world of the host and all cells.   hosted_mpi map|barrier|nothing
// map: every rank sends the number by which CellOS knows it, to rank 0, from rank 0 and around a ring; who receives
// takes it from any source, and compares the source's rank with the number: the host's is 0x1000, and cell n is rank n
// + 1. Each rank prints how many were wrong, its own among them. barrier: one MPI_Barrier, and nothing else; nothing:
// not even that.
#include <cellos.h>
#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { TO_FIRST = 1, FROM_FIRST = 2, AROUND = 3 };

static int rank, ranks, wrong;

static void check(int source, int number) { wrong += number != (source == 0 ? L_HOST : source - 1); }

static void receive(int tag) {
  MPI_Status status;
  int number;
  MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
  check(status.MPI_SOURCE, number);
}

static void exchange_numbers(void) {
  const int me = l_cellid();
  check(rank, me);
  wrong += l_ncells() != ranks - 1;
  if (rank != 0) MPI_Send(&me, 1, MPI_INT, 0, TO_FIRST, MPI_COMM_WORLD);
  for (int other = 1; rank == 0 && other < ranks; ++other) receive(TO_FIRST);
  for (int other = 1; rank == 0 && other < ranks; ++other) MPI_Send(&me, 1, MPI_INT, other, FROM_FIRST, MPI_COMM_WORLD);
  if (rank != 0) receive(FROM_FIRST);
  MPI_Send(&me, 1, MPI_INT, (rank + 1) % ranks, AROUND, MPI_COMM_WORLD);
  receive(AROUND);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc > 1 && strcmp(argv[1], "map") == 0) exchange_numbers();
  if (argc > 1 && strcmp(argv[1], "barrier") == 0) MPI_Barrier(MPI_COMM_WORLD);
  hindcast_compute_seconds((rank == 0 ? 1 : 2) - MPI_Wtime());  // rank 0 prints the first line
  if (rank == 0) printf("ranks,rank,wrong\n");
  printf("%d,%d,%d\n", ranks, rank, wrong);
  MPI_Finalize();
  return 0;
}
