// Scatter by the root alone: it sends every rank its block.
// Needs: nothing. Costs: T(m) + (n - 2) S(m) + max(0, K(m) - R(m)).
#include "mpi_impl/collectives/framework/algorithms.hpp"

namespace hindcast::mpi {

Task scatter_linear(Collective& collective, Blocks all, Block mine, int root) {
  if (collective.rank() != root) {
    co_await collective.receive(mine, root);
    co_return;
  }
  for (int rank = 0; rank < collective.size(); ++rank)
    if (rank != root) collective.post_send(all.of(rank), rank);
  collective.copy(all.of(root), mine);
  co_await collective.all();
}

}  // namespace hindcast::mpi
