// Allgather by a broadcast of the machine's from every rank: all are submitted at once, and received in the order of
// ranks from the next one on.
// Needs: the machine's broadcast. Costs: n B(m), less what overlaps.
#include "mpi_impl/collectives/algorithms.hpp"

namespace hindcast::mpi {

Task allgather_broadcasts(Collective& collective, Block mine, Blocks all) {
  if (collective.size() > 1) co_await collective.broadcast(mine);
  collective.copy(mine, all.of(collective.rank()));
  for (int distance = 1; distance < collective.size(); ++distance) {
    const int from = collective.neighbour(distance);
    co_await collective.receive(all.of(from), from);
  }
}

}  // namespace hindcast::mpi
