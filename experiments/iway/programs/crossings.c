/* One collective operation of blocks of so many bytes, from rank 0 where it has a root, or nothing. Before that each
 * rank has sent a message to each other, so that all connections are there, and all begin at one instant.
 *
 *   crossings SIZE bcast|alltoall|nothing BYTES */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns when the operation is to begin: rank 0 says so in its messages. */
static double connect_all(int size) {
  const double told = MPI_Wtime() + 5;
  MPI_Request* requests = malloc(2 * size * sizeof *requests);
  double* heard = calloc(size, sizeof *heard);
  for (int other = 0; other < size; ++other) {
    MPI_Irecv(&heard[other], 1, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, &requests[other]);
    MPI_Isend(&told, 1, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, &requests[size + other]);
  }
  MPI_Waitall(2 * size, requests, MPI_STATUSES_IGNORE);
  const double begin = heard[0];
  free(heard);
  free(requests);
  return begin;
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc != 4) MPI_Abort(MPI_COMM_WORLD, 2);
  const int bytes = atoi(argv[3]);
  char* from = calloc(size, bytes);
  char* to = calloc(size, bytes);
  const double begin = connect_all(size);
  usleep((useconds_t)((begin - MPI_Wtime()) * 1e6));
  if (strcmp(argv[2], "bcast") == 0) MPI_Bcast(from, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (strcmp(argv[2], "alltoall") == 0) MPI_Alltoall(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD);
  printf("bytes,rank,time_ms\n%s,%d,%.6f\n", argv[1], rank, (MPI_Wtime() - begin) * 1e3);
  free(from);
  free(to);
  MPI_Finalize();
  return 0;
}
