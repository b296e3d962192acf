/* Each rank's unit moves data to and from the next rank's global memory: in one piece, strided, at once and later. */
#include <es_ina.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 1000 };

static void check(int holds, const char* what) {
  if (holds) return;
  printf("wrong: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double* mine = es_global_alloc(COUNT * sizeof(double));
  double* copy = es_global_alloc(COUNT * sizeof(double));
  for (int i = 0; i < COUNT; ++i) mine[i] = 1000 * rank + i;
  const es_global_address here = es_global_address_of(mine, COUNT * sizeof(double));
  es_global_address all[64];
  MPI_Allgather(&here, sizeof here, MPI_BYTE, all, sizeof here, MPI_BYTE, MPI_COMM_WORLD);
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;

  const double start = MPI_Wtime();
  es_ina_get(copy, all[next], COUNT * sizeof(double));
  if (rank == 0) printf("get %.6f us\n", (MPI_Wtime() - start) * 1e6);
  for (int i = 0; i < COUNT; ++i) check(copy[i] == 1000 * next + i, "what was got");

  MPI_Barrier(MPI_COMM_WORLD);
  const double put_start = MPI_Wtime();
  es_ina_put(all[next], copy, 8 * sizeof(double));
  if (rank == 0) printf("put %.6f us\n", (MPI_Wtime() - put_start) * 1e6);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 8; ++i) check(mine[i] == 1000 * rank + i, "what was put");
  MPI_Barrier(MPI_COMM_WORLD);

  /* every second one of mine into the first half of theirs */
  const es_ina_items items = {COUNT / 2, sizeof(double), 2 * sizeof(double), sizeof(double)};
  es_ina_put_items(all[next], copy, items);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < COUNT / 2; ++i) check(mine[i] == 1000 * rank + 2 * i, "strided");
  MPI_Barrier(MPI_COMM_WORLD);

  es_ina_start_get(copy, all[before], sizeof(double));
  es_ina_start_get(copy + 1, all[before], sizeof(double));
  es_ina_wait();
  check(copy[0] == copy[1] && copy[0] == 1000 * before, "started");
  if (argc > 1 && strcmp(argv[1], "local") == 0) {
    MPI_Info info;
    double* local;
    MPI_Info_create(&info);
    MPI_Info_set(info, "memory", "LMEM");
    MPI_Alloc_mem(8, info, &local);
    es_ina_get(local, all[next], 8);
  }
  if (argc > 1 && strcmp(argv[1], "load") == 0) printf("%f\n", *(double*)all[next].address);
  MPI_Finalize();
  return 0;
}
