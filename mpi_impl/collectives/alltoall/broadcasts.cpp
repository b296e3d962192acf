// All-to-all by a broadcast of the machine's from every rank, of all its blocks, of which each rank copies its own; all
// post their receives first. Where lengths differ the places of the blocks are exchanged before, in the same way.
// Needs: the machine's broadcast. Costs: B(n m), of which m are copied, + Y(n m) + (n - 2) Q(n m) + K(m).
#include <vector>

#include "mpi_impl/collectives/framework/algorithms.hpp"
#include "mpi_impl/collectives/patterns/broadcast_blocks.hpp"

namespace hindcast::mpi {

Task alltoall_broadcasts(Collective& collective, Blocks out, Blocks in) {
  const int n = collective.size();
  std::vector<Place> places(static_cast<std::size_t>(n));
  BroadcastBlocks blocks(collective, out);
  for (int distance = 1; distance < n; ++distance) {
    const int from = collective.neighbour(distance);
    Place& place = places[static_cast<std::size_t>(from)];
    place = out.counts == nullptr ? place_among_equals(collective, in.of(from)) : Place{};
    if (out.counts != nullptr)
      collective.post_receive(bytes_at(&place, sizeof place), from, place_of_place(collective));
  }
  if (out.counts != nullptr && n > 1) co_await collective.broadcast(blocks.places(collective.pool()));

  for (int distance = 1; distance < n; ++distance) {
    const int from = collective.neighbour(distance);
    collective.post_receive(in.of(from), from, places[static_cast<std::size_t>(from)].begin);
  }
  if (n > 1) collective.post_broadcast(blocks.data());
  collective.copy(out.of(collective.rank()), in.of(collective.rank()));
  co_await collective.all();
  for (int from = 0; from < n; ++from)
    if (from != collective.rank()) refuse_short_block(in.of(from), places[static_cast<std::size_t>(from)], from);
}

}  // namespace hindcast::mpi
