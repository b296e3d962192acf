/* Who frees one of the library's keys does not give its number to a key of the program's own. */
#include <mpi.h>
#include <mpi_nexus.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, got[2] = {-1, -1}, own;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  int freed = NEXUS_METHOD;
  MPI_Comm_free_keyval(&freed);
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &own, NULL);
  MPI_Comm_set_attr(comm, own, (void*)8); /* no name of a method */
  for (int i = 0; i < 2; ++i) {
    MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, i, &got[i], 1, MPI_INT, 1 - rank, i, comm, MPI_STATUS_IGNORE);
    MPI_Comm_set_attr(comm, NEXUS_METHOD, (void*)"tcp");
  }
  if (rank == 0 && NEXUS_METHOD != own && got[0] == 1 && got[1] == 1) printf("right\n");
  MPI_Finalize();
  return 0;
}
