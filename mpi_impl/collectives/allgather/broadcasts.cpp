// Allgather by a broadcast of the machine's from every rank. All post their receives first, so that what comes is taken
// in whatever order the machine has chosen.
// Needs: the machine's broadcast. Costs: B(m) + Y(m) + (n - 2) Q(m) + K(m).
#include "mpi_impl/collectives/framework/algorithms.hpp"

namespace hindcast::mpi {

Task allgather_broadcasts(Collective& collective, Block mine, Blocks all) {
  for (int distance = 1; distance < collective.size(); ++distance) {
    const int from = collective.neighbour(distance);
    collective.post_receive(all.of(from), from);
  }
  if (collective.size() > 1) collective.post_broadcast(mine);
  collective.copy(mine, all.of(collective.rank()));
  co_await collective.all();
}

}  // namespace hindcast::mpi
