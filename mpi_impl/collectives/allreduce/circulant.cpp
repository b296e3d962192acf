// Allreduce on a circulant graph: a reduce-scatter and an allgather of ceil(log2 n) rounds each, for any number of
// ranks (Traff 2023, circulant.hpp).
// Needs: a commutative operation.
#include "mpi_impl/collectives/patterns/circulant.hpp"
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/framework/pieces.hpp"

namespace hindcast::mpi {

namespace {

Task allreduce_circulant(Collective& collective, Block mine, Block result) {
  const Chunks operands(mine, collective.size()), results(result, collective.size());
  Circulant blocks(collective, mine, [&](int rank) { return operands.of(rank); });
  co_await blocks.reduce();
  co_await blocks.gather();
  for (int i = 0; i < collective.size(); ++i) collective.copy(blocks.block(i), results.of(collective.neighbour(i)));
}

const Row<Algorithm> allreduce_circulant_row{
    {.operation = CollectiveOperation::allreduce,
     .place = 50,
     .name = "circulant",
     .function = allreduce_circulant,
     .means = means::messages,
     .needs = need::commutative,
     .cuts_vectors = true,
     .cost = "2 K(m) + sum(i = 0..ceil(log2 n)-1: 2 T(b m/n) + C(b m/n)) where b = floor(ceil(n/2^i)/2)"}};

}  // namespace

}  // namespace hindcast::mpi
