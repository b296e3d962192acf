// Allgather by a gather at rank 0 and the machine's broadcast.
// Needs: the machine's broadcast.
#include "mpi_impl/collectives/bcast/native.hpp"
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/framework/pieces.hpp"

namespace hindcast::mpi {

namespace {

Task allgather_gather_broadcast(Collective& collective, Block mine, Blocks all) {
  Assembled blocks(collective, all);
  if (collective.rank() == 0) {
    collective.copy(mine, blocks.of(0));
    for (int rank = 1; rank < collective.size(); ++rank) co_await collective.receive(blocks.of(rank), rank);
  } else {
    co_await collective.send(mine, 0);
  }
  co_await bcast_native(collective, blocks.range(0, collective.size()), 0);
  blocks.put_back();
}

constexpr Algorithm allgather_gather_broadcast_algorithm{.operation = CollectiveOperation::allgather,
                                                         .place = 70,
                                                         .name = "gather_broadcast",
                                                         .function = allgather_gather_broadcast,
                                                         .means = means::broadcast,
                                                         .needs = need::broadcast,
                                                         .cost = "T(m) + (n-2) R(m) + B(n m)"};
const Row<Algorithm> allgather_gather_broadcast_row{allgather_gather_broadcast_algorithm},
    allgatherv_gather_broadcast_row{allgather_gather_broadcast_algorithm.of(CollectiveOperation::allgatherv, 70)};

}  // namespace

}  // namespace hindcast::mpi
