/* A ping-pong of MPI's between two ranks of many, after a first round that makes connections; half a round, mean of 50.
 *   pingpong_between BYTES FROM TO [METHOD]
 * METHOD is one of Nexus, which messages go by where it leads. With FROM the same as TO there is none. */
#include <mpi.h>
#include <mpi_nexus.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 50 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc < 4) MPI_Abort(MPI_COMM_WORLD, 2);
  const int bytes = atoi(argv[1]), from = atoi(argv[2]), to = atoi(argv[3]);
  char* data = calloc((size_t)bytes + 1, 1);
  int rank;
  double start = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 4) MPI_Comm_set_attr(MPI_COMM_WORLD, NEXUS_METHOD, argv[4]);
  for (int round = 0; from != to && round <= ROUNDS; ++round) {
    if (round == 1) start = MPI_Wtime();
    if (rank == from) MPI_Send(data, bytes, MPI_BYTE, to, 1, MPI_COMM_WORLD);
    if (rank == to) MPI_Recv(data, bytes, MPI_BYTE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == to) MPI_Send(data, bytes, MPI_BYTE, from, 1, MPI_COMM_WORLD);
    if (rank == from) MPI_Recv(data, bytes, MPI_BYTE, to, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank == from) printf("bytes,time_us\n%d,%.6f\n", bytes, (MPI_Wtime() - start) * 1e6 / (2 * ROUNDS));
  if (argc > 4) MPI_Comm_delete_attr(MPI_COMM_WORLD, NEXUS_METHOD);
  free(data);
  MPI_Finalize();
  return 0;
}
