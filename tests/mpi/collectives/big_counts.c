/* ranks: 3
 * needs: long messages
 * Collectives of a million elements and more: as many ints, one element of a datatype that holds them, and elements
 * that do not lie together. */
#include "check.h"

#include <string.h>

enum { ranks = 3, million = 1 << 20 };

static int *in, *out;

static void check_all(const int* data, int count, int source, int tag) {
  for (int i = 0; i < count; ++i)
    if (data[i] != element(source, tag, i)) CHECK_INT(data[i], element(source, tag, i));
}

int main(int argc, char** argv) {
  int counts[ranks], places[ranks];
  MPI_Datatype all, pair;
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  CHECK_INT(world_size(), ranks);
  const int rank = world_rank();
  in = malloc(ranks * million * sizeof(int));
  out = malloc(ranks * million * sizeof(int));
  MPI_Type_contiguous(ranks * million, MPI_INT, &all);
  MPI_Type_commit(&all);
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &pair);
  MPI_Type_commit(&pair);

  if (rank == 1) fill(in, ranks * million, 1, 1);
  MPI_Bcast(in, rank == 2 ? 1 : ranks * million, rank == 2 ? all : MPI_INT, 1, MPI_COMM_WORLD);
  check_all(in, ranks * million, 1, 1);

  fill(out, million, rank, 2);
  for (int r = 0; r < ranks; ++r) counts[r] = million - r, places[r] = (ranks - 1 - r) * million;
  MPI_Allgatherv(out, million - rank, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < ranks; ++r) check_all(in + places[r], counts[r], r, 2);

  for (int r = 0; r < ranks; ++r) fill(out + r * million, million, rank, r);
  MPI_Alltoall(out, million, MPI_INT, in, million, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < ranks; ++r) check_all(in + r * million, million, r, rank);

  MPI_Iallreduce(out, in, million, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &requests[0]);
  MPI_Iscan(out + million, in + million, million, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  check_all(in, million, ranks - 1, 0);
  check_all(in + million, million, rank, 1);

  memset(in, 0xff, ranks * million * sizeof(int));
  MPI_Scatter(out, million / 2, pair, in, million / 2, pair, 2, MPI_COMM_WORLD);
  for (int i = 0; i < million; ++i) {
    const int at = rank * million + i;
    const int expected = i % 2 == 1 ? -1 : element(2, at / million, at % million);
    if (in[i] != expected) CHECK_INT(in[i], expected);
  }
  MPI_Type_free(&all);
  MPI_Type_free(&pair);
  free(in);
  free(out);
  return finish();
}
