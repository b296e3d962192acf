// Gather by the root alone: it receives from every rank in turn.
// Needs: nothing. Costs: (n - 1) T(m) at the root.
#include "mpi_impl/collectives/algorithms.hpp"

namespace hindcast::mpi {

void gather_linear(Collective& collective, const Block& mine, const Blocks& all, int root) {
  if (collective.rank() != root) return collective.send(mine, root);
  for (int rank = 0; rank < collective.size(); ++rank) {
    if (rank != root)
      collective.receive(all.of(rank), rank);
    else if (mine.data != MPI_IN_PLACE)
      collective.copy(mine, all.of(rank));
  }
}

}  // namespace hindcast::mpi
