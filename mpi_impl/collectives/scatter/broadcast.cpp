// Scatter by the machine's broadcast of the whole array, of which each rank copies its own block.
// Needs: the machine's broadcast. Where lengths differ the places of the blocks are broadcast before.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/broadcast_blocks.hpp"

namespace hindcast::mpi {

namespace {

Task scatter_broadcast(Collective& collective, Blocks all, Block mine, int root) {
  if (collective.rank() == root) {
    BroadcastBlocks blocks(collective, all);
    if (collective.size() > 1) co_await collective.broadcast(blocks.data());
    collective.copy(all.of(root), mine);
  } else {
    const std::size_t whole = mine.bytes() * static_cast<std::size_t>(collective.size());
    co_await collective.receive_part(mine, root, place_among_equals(collective, mine).begin, whole);
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
    BlockPlace place;
    co_await collective.receive_part(bytes_at(&place, sizeof place), root, place_of_place(collective));
    co_await collective.receive_part(mine, root, place.begin, whole_of(collective, place));
    refuse_short_block(mine, place, root);
  }
}

const Row<Algorithm> scatter_broadcast_row{{.operation = CollectiveOperation::scatter,
                                            .place = 40,
                                            .name = "broadcast",
                                            .function = scatter_broadcast,
                                            .means = means::broadcast,
                                            .needs = need::broadcast,
                                            .cost = "B(n m, m)"}};
const Row<Algorithm> scatterv_broadcast_row{{.operation = CollectiveOperation::scatterv,
                                             .place = 30,
                                             .name = "broadcast",
                                             .function = scatterv_broadcast,
                                             .means = means::broadcast,
                                             .needs = need::broadcast,
                                             .cost = "B(16 n, 16) + Q(n m, m)"}};

}  // namespace

}  // namespace hindcast::mpi
