/* ranks: 5
 * MPI_Sendrecv and MPI_Sendrecv_replace around a ring, of any size, with different counts and types on the two sides.
 */
#include "check.h"

int main(int argc, char** argv) {
  enum { large = 20000 };
  MPI_Init(&argc, &argv);
  const int rank = world_rank(), size = world_size(), right = (rank + 1) % size, left = (rank + size - 1) % size;
  int* out = malloc(sizeof(int) * large);
  int* in = malloc(sizeof(int) * large);
  MPI_Status status;
  for (int count = 0; count <= large; count = count * 4 + 1) {
    fill(out, count, rank, count);
    MPI_Sendrecv(out, count, MPI_INT, right, 1, in, large, MPI_INT, left, 1, MPI_COMM_WORLD, &status);
    check_status(&status, left, 1, count);
    check_elements(in, count, left, count);
    MPI_Sendrecv(out, count * (int)sizeof(int), MPI_BYTE, left, 2, in, large, MPI_INT, right, 2, MPI_COMM_WORLD,
                 &status);
    check_elements(in, count, right, count);
    MPI_Sendrecv_replace(out, count, MPI_INT, right, 3, left, 3, MPI_COMM_WORLD, &status);
    check_status(&status, left, 3, count);
    check_elements(out, count, left, count);
  }
  free(out);
  free(in);
  return finish();
}
