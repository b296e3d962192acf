// Gather by the root alone: every rank sends its block to it.
// Needs: nothing. Costs: T(m) + (n - 2) R(m).
#include "mpi_impl/collectives/framework/algorithms.hpp"

namespace hindcast::mpi {

Task gather_linear(Collective& collective, Block mine, Blocks all, int root) {
  if (collective.rank() != root) {
    co_await collective.send(mine, root);
    co_return;
  }
  for (int rank = 0; rank < collective.size(); ++rank)
    if (rank != root) collective.post_receive(all.of(rank), rank);
  collective.copy(mine, all.of(root));
  co_await collective.all();
}

}  // namespace hindcast::mpi
