// Allgather around a ring: in every round each rank hands on the block that it got in the round before.
// Needs: nothing. Costs: (n - 1) T(m).
#include "mpi_impl/collectives/algorithms.hpp"

namespace hindcast::mpi {

void allgather_ring(Collective& collective, const Block& mine, const Blocks& all) {
  if (mine.data != MPI_IN_PLACE) collective.copy(mine, all.of(collective.rank()));
  for (int round = 0; round + 1 < collective.size(); ++round)
    collective.exchange(all.of(collective.neighbour(-round)), collective.neighbour(1),
                        all.of(collective.neighbour(-round - 1)), collective.neighbour(-1));
}

}  // namespace hindcast::mpi
