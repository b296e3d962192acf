/* One collective operation of blocks of so many bytes, from rank 0 where it has a root, or nothing.
 *   crossings SIZE bcast|alltoall|nothing BYTES */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc != 4) MPI_Abort(MPI_COMM_WORLD, 2);
  const int bytes = atoi(argv[3]);
  char* from = calloc(size, bytes);
  char* to = calloc(size, bytes);
  const double start = MPI_Wtime();
  if (strcmp(argv[2], "bcast") == 0) MPI_Bcast(from, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (strcmp(argv[2], "alltoall") == 0) MPI_Alltoall(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD);
  printf("bytes,rank,time_ms\n%s,%d,%.6f\n", argv[1], rank, (MPI_Wtime() - start) * 1e3);
  free(from);
  free(to);
  MPI_Finalize();
  return 0;
}
