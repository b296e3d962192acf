// Reduce-scatter in n - 1 rounds: in round k each rank sends the one k further on the block for it, and combines the
// block that it gets with its own. Needs: a commutative operation. Costs, with m bytes in a block: (n - 1) (T(m) +
// C(m)) + 2 K(m).
#include "mpi_impl/collectives/algorithms.hpp"

namespace hindcast::mpi {

Task reduce_scatter_pairwise(Collective& collective, Blocks mine, Block result) {
  const Block own = mine.of(collective.rank());
  const Scratch sum(collective.pool(), own), received(collective.pool(), own);
  collective.copy(own, sum.block());
  for (int round = 1; round < collective.size(); ++round) {
    const int to = collective.neighbour(round), from = collective.neighbour(-round);
    co_await collective.exchange(mine.of(to), to, received.block(), from);
    collective.combine(received.block().data, sum.block());
  }
  collective.copy(sum.block(), result);
}

}  // namespace hindcast::mpi
