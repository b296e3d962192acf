// Scatter by the machine's broadcast of the whole array, of which each rank copies its own block.
// Needs: the machine's broadcast. Costs: B of n m bytes, of which m are copied; before, where lengths differ, B of the
// blocks' places.
#include "mpi_impl/collectives/framework/algorithms.hpp"
#include "mpi_impl/collectives/patterns/broadcast_blocks.hpp"

namespace hindcast::mpi {

Task scatter_broadcast(Collective& collective, Blocks all, Block mine, int root) {
  if (collective.rank() == root) {
    BroadcastBlocks blocks(collective, all);
    if (collective.size() > 1) co_await collective.broadcast(blocks.data());
    collective.copy(all.of(root), mine);
  } else {
    co_await collective.receive_part(mine, root, place_among_equals(collective, mine).begin);
  }
}

Task scatterv_broadcast(Collective& collective, Blocks all, Block mine, int root) {
  if (collective.rank() == root) {
    BroadcastBlocks blocks(collective, all);
    if (collective.size() > 1) {
      co_await collective.broadcast(blocks.places(collective.pool()));
      co_await collective.broadcast(blocks.data());
    }
    collective.copy(all.of(root), mine);
  } else {
    Place place;
    co_await collective.receive_part(bytes_at(&place, sizeof place), root, place_of_place(collective));
    co_await collective.receive_part(mine, root, place.begin);
    refuse_short_block(mine, place, root);
  }
}

}  // namespace hindcast::mpi
