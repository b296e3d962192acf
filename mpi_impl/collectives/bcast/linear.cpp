// Broadcast by the root alone: it sends to every other rank.
// Needs: nothing. Costs: T(m) + (n - 2) S(m).
#include "mpi_impl/collectives/framework/algorithms.hpp"

namespace hindcast::mpi {

Task bcast_linear(Collective& collective, Block data, int root) {
  if (collective.rank() != root) {
    co_await collective.receive(data, root);
    co_return;
  }
  for (int distance = 1; distance < collective.size(); ++distance)
    collective.post_send(data, collective.neighbour(distance));
  co_await collective.all();
}

}  // namespace hindcast::mpi
