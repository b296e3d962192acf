// Scatter by the root alone: it sends to every rank in turn.
// Needs: nothing. Costs: (n - 1) T(m) at the root.
#include "mpi_impl/collectives/algorithms.hpp"

namespace hindcast::mpi {

void scatter_linear(Collective& collective, const Blocks& all, const Block& mine, int root) {
  if (collective.rank() != root) return collective.receive(mine, root);
  for (int rank = 0; rank < collective.size(); ++rank) {
    if (rank != root)
      collective.send(all.of(rank), rank);
    else if (mine.data != MPI_IN_PLACE)
      collective.copy(all.of(rank), mine);
  }
}

}  // namespace hindcast::mpi
