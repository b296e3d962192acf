/* ranks: 2
 * A program's own MPI_Send and MPI_Recv, on PMPI_Send and PMPI_Recv: what profiling tools do. */
#include "check.h"

static int sends, receives;

int MPI_Send(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  ++sends;
  return PMPI_Send(buf, count, datatype, dest, tag, comm);
}

int MPI_Recv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status* status) {
  ++receives;
  return PMPI_Recv(buf, count, datatype, source, tag, comm, status);
}

static void in_place(void) {
  int value = element(0, 0, 0);
  for (int i = 0; i < 3; ++i) {
    if (world_rank() == 0) MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (world_rank() == 1) MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  check_elements(&value, 1, 0, 0);
  MPI_Barrier(MPI_COMM_WORLD); /* does not send through the program's wrappers */
  CHECK_INT(sends, world_rank() == 0 ? 3 : 0);
  CHECK_INT(receives, world_rank() == 1 ? 3 : 0);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  in_place();
  return finish();
}
