// Reduce-scatter by a reduction to rank 0 along a binomial tree, and a scatter by that rank alone. Keeps the order of
// operands.
// Needs: nothing. Costs, with m bytes in a block: ceil(log2 n) (T(n m) + C(n m)) + K(n m) + T(m) + (n - 2) S(m) +
// max(0, K(m) - R(m)).
#include "mpi_impl/collectives/framework/algorithms.hpp"

namespace hindcast::mpi {

Task reduce_scatter_reduce_scatter(Collective& collective, Blocks mine, Block result) {
  Block operand = mine.of(0);
  operand.count = 0;
  for (int rank = 0; rank < collective.size(); ++rank) operand.count += mine.count_of(rank);
  const bool is_first = collective.rank() == 0;
  const Scratch sum(collective.pool(), is_first ? operand : operand.part(0, 0));
  co_await reduce_knomial(collective, operand, sum.block(), 0);
  Blocks sums = mine;
  sums.data = sum.block().data;
  co_await scatter_linear(collective, sums, result, 0);
}

}  // namespace hindcast::mpi
