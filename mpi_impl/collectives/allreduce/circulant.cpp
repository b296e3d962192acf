// Allreduce on a circulant graph: a reduce-scatter and an allgather of ceil(log2 n) rounds each, for any number of
// ranks (Traff 2023, circulant.hpp). Needs: a commutative operation. Costs, with b blocks of m/n bytes given in a
// round, n - 1 in all: the sum of 2 T(b m/n) + C(b m/n), and 2 K(m).
#include "mpi_impl/collectives/patterns/circulant.hpp"
#include "mpi_impl/collectives/framework/algorithms.hpp"
#include "mpi_impl/collectives/framework/pieces.hpp"

namespace hindcast::mpi {

Task allreduce_circulant(Collective& collective, Block mine, Block result) {
  const Chunks operands(mine, collective.size()), results(result, collective.size());
  Circulant blocks(collective, mine, [&](int rank) { return operands.of(rank); });
  co_await blocks.reduce();
  co_await blocks.gather();
  for (int i = 0; i < collective.size(); ++i) collective.copy(blocks.block(i), results.of(collective.neighbour(i)));
}

}  // namespace hindcast::mpi
