// Allgather around a ring: in every round each rank hands on the block that it got in the round before.
// Needs: nothing. Costs: (n - 1) T(m) + K(m).
#include "mpi_impl/collectives/framework/algorithms.hpp"

namespace hindcast::mpi {

Task allgather_ring(Collective& collective, Block mine, Blocks all) {
  collective.copy(mine, all.of(collective.rank()));
  const SentForGood stays(collective);
  for (int round = 0; round + 1 < collective.size(); ++round)
    co_await collective.exchange(all.of(collective.neighbour(-round)), collective.neighbour(1),
                                 all.of(collective.neighbour(-round - 1)), collective.neighbour(-1));
}

}  // namespace hindcast::mpi
