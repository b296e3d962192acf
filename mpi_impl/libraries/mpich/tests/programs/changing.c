/* Messages of one communicator whose way the program changes while they are under way: they come in the order of their
 * sends all the same. */
#include <mpi.h>
#include <mpi_nexus.h>
#include <stdio.h>

enum { MESSAGES = 40, LONG = 20000 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  static char data[LONG];
  int rank, right = 1, buffers[] = {4096, 1 << 20};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < MESSAGES; ++i) {
    const int bytes = i % 3 == 0 ? LONG : 1;
    if (rank == 0) {
      if (i % 4 == 0) MPI_Comm_set_attr(MPI_COMM_WORLD, NEXUS_METHOD, "aal5");
      if (i % 4 == 1) MPI_Comm_set_attr(MPI_COMM_WORLD, TCP_BUFFER_SIZE, &buffers[i / 4 % 2]);
      if (i % 4 == 2) MPI_Comm_delete_attr(MPI_COMM_WORLD, NEXUS_METHOD);
      data[0] = (char)i;
      MPI_Send(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    } else {
      MPI_Status status;
      int count;
      MPI_Recv(data, LONG, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_BYTE, &count);
      right = right && data[0] == i && count == bytes;
    }
  }
  if (rank == 1) printf("%s\n", right ? "right" : "wrong");
  MPI_Finalize();
  return 0;
}
