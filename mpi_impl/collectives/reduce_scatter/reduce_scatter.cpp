// Reduce-scatter by a reduction to rank 0 along a binomial tree, and a scatter by that rank alone. Keeps the order of
// operands.
// Needs: nothing.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/reduce/knomial.hpp"
#include "mpi_impl/collectives/scatter/linear.hpp"

namespace hindcast::mpi {

namespace {

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

constexpr Algorithm reduce_then_scatter_algorithm{
    .operation = CollectiveOperation::reduce_scatter_block,
    .place = 50,
    .name = "reduce_scatter",
    .function = reduce_scatter_reduce_scatter,
    .means = means::messages,
    .defaults = {0, 2},
    .cost = "up_knomial(2: n m, C(n m)) + T(m) + (n-2) S(m) + max(0, K(m) - R(m))"};
const Row<Algorithm> block_by_reduce_scatter_row{reduce_then_scatter_algorithm},
    reduce_scatter_scatterv_row{reduce_then_scatter_algorithm.of(CollectiveOperation::reduce_scatter, 50)};

}  // namespace

}  // namespace hindcast::mpi
