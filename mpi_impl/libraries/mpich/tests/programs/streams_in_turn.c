/* Two ranks send many messages each to rank 0, which looks at none before all have come: in which order it finds them.
 */
#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>

enum { messages = 20 };

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    hindcast_compute_seconds(0.1);
    for (int i = 0; i < messages * (size - 1); ++i) {
      MPI_Status status;
      MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
      printf("%d\n", status.MPI_SOURCE);
    }
  } else {
    for (int i = 0; i < messages; ++i) MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
