// Reduce-scatter on a circulant graph: ceil(log2 n) rounds for any number of ranks (Traff 2023, circulant.hpp).
// Needs: a commutative operation. Costs, with m bytes in a block and b blocks given in a round, n - 1 in all: the sum
// of T(b m) + C(b m), and K((n + 1) m).
#include "mpi_impl/collectives/patterns/circulant.hpp"
#include "mpi_impl/collectives/framework/algorithms.hpp"

namespace hindcast::mpi {

Task reduce_scatter_circulant(Collective& collective, Blocks mine, Block result) {
  Block whole = mine.of(0);
  for (int rank = 1; rank < collective.size(); ++rank) whole.count += mine.count_of(rank);
  Circulant blocks(collective, whole, [&](int rank) { return mine.of(rank); });
  co_await blocks.reduce();
  collective.copy(blocks.block(0), result);
}

}  // namespace hindcast::mpi
