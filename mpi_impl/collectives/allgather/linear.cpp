// Allgather in which every rank sends its block to every other one at once.
// Needs: nothing. Costs: T(m) + (n - 2) (S(m) + R(m)) + K(m).
#include "mpi_impl/collectives/framework/algorithms.hpp"

namespace hindcast::mpi {

Task allgather_linear(Collective& collective, Block mine, Blocks all) {
  const Block own = all.of(collective.rank());
  collective.copy(mine, own);
  for (int distance = 1; distance < collective.size(); ++distance) {
    const int from = collective.neighbour(-distance);
    collective.post_receive(all.of(from), from);
  }
  for (int distance = 1; distance < collective.size(); ++distance)
    collective.post_send(own, collective.neighbour(distance));
  co_await collective.all();
}

}  // namespace hindcast::mpi
