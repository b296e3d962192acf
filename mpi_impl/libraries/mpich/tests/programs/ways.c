/* On several machines: between which ranks messages go by which method, what the program is told of machines, and what
 * choices for a communicator do. Prints, from rank 0, a line for each rank: its machine, the method, one way in us of a
 * message on MPI_COMM_WORLD and on a duplicate with attributes.
 *   ways BYTES [METHOD|- [BUFFER [TCP_SKIP [MPL_SKIP]]]] */
#include <mpi.h>
#include <mpi_nexus.h>
#include <nexus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3 };

static double one_way(MPI_Comm comm, int other, char* data, int bytes) {
  int rank;
  double start = 0;
  MPI_Comm_rank(comm, &rank);
  for (int round = 0; round <= ROUNDS; ++round) {
    if (round == 1) start = MPI_Wtime(); /* connections are there */
    if (rank == 0) MPI_Send(data, bytes, MPI_BYTE, other, round, comm);
    if (rank != 0) MPI_Recv(data, bytes, MPI_BYTE, 0, round, comm, MPI_STATUS_IGNORE);
    if (rank != 0) MPI_Send(data, bytes, MPI_BYTE, 0, round, comm);
    if (rank == 0) MPI_Recv(data, bytes, MPI_BYTE, other, round, comm, MPI_STATUS_IGNORE);
  }
  return (MPI_Wtime() - start) * 1e6 / (2 * ROUNDS);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int bytes = atoi(argv[1]);
  static int buffer, skip, mpl_skip;
  char* data = calloc(bytes + 1, 1);
  MPI_Comm chosen, copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &chosen);
  if (argc > 2 && strcmp(argv[2], "-") != 0) MPI_Comm_set_attr(chosen, NEXUS_METHOD, argv[2]);
  if (argc > 3 && (buffer = atoi(argv[3])) != 0) MPI_Comm_set_attr(chosen, TCP_BUFFER_SIZE, &buffer);
  if (argc > 4 && (skip = atoi(argv[4])) != 0) MPI_Comm_set_attr(chosen, NEXUS_TCP_SKIP, &skip);
  if (argc > 5 && (mpl_skip = atoi(argv[5])) != 0) MPI_Comm_set_attr(chosen, NEXUS_MPL_SKIP, &mpl_skip);
  MPI_Comm_dup(chosen, &copy); /* attributes are copied */
  int right = TCP_BUFFER_SIZE != NEXUS_METHOD && NEXUS_TCP_SKIP != NEXUS_MPL_SKIP;
  if (rank == 0) {
    int contexts = 0;
    for (int machine = 0; machine < nexus_machines(); ++machine) {
      contexts += nexus_machine_contexts(machine);
      printf("%s %d of %d\n", nexus_machine_name(machine), nexus_machine_contexts(machine),
             nexus_machine_processors(machine));
    }
    right = right && contexts == size;
  }
  for (int other = 1; other < size; ++other) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank != 0 && rank != other) continue;
    const double usual = one_way(MPI_COMM_WORLD, other, data, bytes);
    const double by_choice = one_way(copy, other, data, bytes);
    nexus_global_pointer_t pointer;
    nexus_context_pointer(&pointer, other);
    if (rank == 0)
      printf("%d %s %s %.3f %.3f\n", other, nexus_machine_name(nexus_machine_of(other)), nexus_method(&pointer), usual,
             by_choice);
  }
  if (!right) printf("wrong\n");
  free(data);
  MPI_Finalize();
  return 0;
}
