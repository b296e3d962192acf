// Scatter by the machine's broadcast of the whole array, of which each rank copies its own block.
// Needs: the machine's broadcast. Costs: B of n m bytes, of which m are copied.
#include "mpi_impl/collectives/algorithms.hpp"
#include "mpi_impl/collectives/broadcast_blocks.hpp"

namespace hindcast::mpi {

namespace {

Task scatter_by_broadcast(Collective& collective, Blocks all, Block mine, int root, bool have_one_length) {
  if (collective.rank() != root) {
    co_await receive_own_block(collective, mine, root, have_one_length);
    co_return;
  }
  if (collective.size() > 1) co_await broadcast_blocks(collective, all);
  collective.copy(all.of(root), mine);
}

}  // namespace

Task scatter_broadcast(Collective& collective, Blocks all, Block mine, int root) {
  return scatter_by_broadcast(collective, all, mine, root, true);
}

Task scatterv_broadcast(Collective& collective, Blocks all, Block mine, int root) {
  return scatter_by_broadcast(collective, all, mine, root, false);
}

}  // namespace hindcast::mpi
