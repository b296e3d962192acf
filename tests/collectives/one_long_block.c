/* Blocks of which rank 0's has 257 bytes and all others none, gathered by all and reduced to whose they are:
 *
 *   one_long_block      prints when rank 0 is done */
#include <string.h>

#include "check.h"

enum { rounds = 3, longest = 257 };

int main(int argc, char** argv) {
  int counts[64] = {longest}, places[64] = {0};
  unsigned char mine[longest], all[longest], sum[longest];
  MPI_Init(&argc, &argv);
  for (int r = 1; r < world_size(); ++r) places[r] = longest;
  for (int round = 0; round < rounds; ++round) {
    memset(mine, 7 + round, longest);
    memset(all, 0, longest);
    MPI_Allgatherv(mine, counts[world_rank()], MPI_UNSIGNED_CHAR, all, counts, places, MPI_UNSIGNED_CHAR,
                   MPI_COMM_WORLD);
    CHECK_INT(memcmp(all, mine, longest), 0);
    memset(mine, 1, longest);
    MPI_Reduce_scatter(mine, sum, counts, MPI_UNSIGNED_CHAR, MPI_SUM, MPI_COMM_WORLD);
    if (world_rank() == 0) CHECK_INT(sum[0] + 1000 * sum[longest - 1], 1001 * world_size());
  }
  if (world_rank() == 0) printf("%.9f\n", MPI_Wtime());
  MPI_Finalize();
  return 0;
}
