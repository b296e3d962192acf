// Allgather by a gather at rank 0 and a broadcast along a binomial tree.
// Needs: nothing.
#include "mpi_impl/collectives/bcast/binomial.hpp"
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/framework/pieces.hpp"

namespace hindcast::mpi {

namespace {

Task allgather_gather_bcast(Collective& collective, Block mine, Blocks all) {
  Assembled blocks(collective, all);
  if (collective.rank() == 0) {
    for (int rank = 1; rank < collective.size(); ++rank) collective.post_receive(blocks.of(rank), rank);
    collective.copy(mine, blocks.of(0));
    co_await collective.all();
  } else {
    co_await collective.send(mine, 0);
  }
  co_await bcast_binomial(collective, blocks.range(0, collective.size()), 0);
  blocks.put_back();
}

constexpr Algorithm allgather_gather_bcast_algorithm{
    .operation = CollectiveOperation::allgather,
    .place = 60,
    .name = "gather_bcast",
    .function = allgather_gather_bcast,
    .means = means::trees,
    .cost = "max(T(m), K(m) + R(m)) + (n-2) R(m) + down_knomial(2: n m)"};
const Row<Algorithm> allgather_gather_bcast_row{allgather_gather_bcast_algorithm},
    allgatherv_gather_bcast_row{allgather_gather_bcast_algorithm.of(CollectiveOperation::allgatherv, 60)};

}  // namespace

}  // namespace hindcast::mpi
