// Reduce-scatter on a circulant graph: ceil(log2 n) rounds for any number of ranks (Traff 2023, circulant.hpp).
// Needs: a commutative operation.
#include "mpi_impl/collectives/patterns/circulant.hpp"
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

Task reduce_scatter_circulant(Collective& collective, Blocks mine, Block result) {
  Block whole = mine.of(0);
  for (int rank = 1; rank < collective.size(); ++rank) whole.count += mine.count_of(rank);
  Circulant blocks(collective, whole, [&](int rank) { return mine.of(rank); });
  co_await blocks.reduce();
  collective.copy(blocks.block(0), result);
}

constexpr Algorithm reduce_scatter_block_circulant_algorithm{
    .operation = CollectiveOperation::reduce_scatter_block,
    .place = 40,
    .name = "circulant",
    .function = reduce_scatter_circulant,
    .means = means::messages,
    .needs = need::commutative,
    .cost = "K((n+1) m) + sum(i = 0..ceil(log2 n)-1: T(b m) + C(b m)) where b = floor(ceil(n/2^i)/2)"};
const Row<Algorithm> reduce_scatter_block_circulant_row{reduce_scatter_block_circulant_algorithm},
    reduce_scatter_circulant_row{reduce_scatter_block_circulant_algorithm.of(CollectiveOperation::reduce_scatter, 40)};

}  // namespace

}  // namespace hindcast::mpi
