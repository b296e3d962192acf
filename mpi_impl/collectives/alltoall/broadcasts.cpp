// All-to-all by a broadcast of the machine's from every rank, of all its blocks, of which each rank copies its own; all
// post their receives first. Where lengths differ the places of the blocks are exchanged before, in the same way.
// Needs: the machine's broadcast.
#include <vector>

#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/broadcast_blocks.hpp"

namespace hindcast::mpi {

namespace {

Task alltoall_broadcasts(Collective& collective, Blocks out, Blocks in) {
  const int n = collective.size();
  std::vector<BlockPlace> places(static_cast<std::size_t>(n));
  BroadcastBlocks blocks(collective, out);
  for (int distance = 1; distance < n; ++distance) {
    const int from = collective.neighbour(distance);
    BlockPlace& place = places[static_cast<std::size_t>(from)];
    place = out.are_as_long() ? place_among_equals(collective, in.of(from)) : BlockPlace{};
    if (!out.are_as_long()) collective.post_receive(bytes_at(&place, sizeof place), from, place_of_place(collective));
  }
  if (!out.are_as_long() && n > 1) co_await collective.broadcast(blocks.places(collective.pool()));

  for (int distance = 1; distance < n; ++distance) {
    const int from = collective.neighbour(distance);
    const BlockPlace& place = places[static_cast<std::size_t>(from)];
    const std::size_t of_equals = in.of(from).bytes() * static_cast<std::size_t>(n);
    const std::size_t whole = out.are_as_long() ? of_equals : whole_of(collective, place);
    collective.post_receive(in.of(from), from, place.begin, whole);
  }
  if (n > 1) collective.post_broadcast(blocks.data());
  collective.copy(out.of(collective.rank()), in.of(collective.rank()));
  co_await collective.all();
  for (int from = 0; from < n; ++from)
    if (from != collective.rank()) refuse_short_block(in.of(from), places[static_cast<std::size_t>(from)], from);
}

const Row<Algorithm> alltoall_broadcasts_row{{.operation = CollectiveOperation::alltoall,
                                              .place = 60,
                                              .name = "broadcasts",
                                              .function = alltoall_broadcasts,
                                              .means = means::broadcast,
                                              .needs = need::broadcast,
                                              .cost = "B(n m, m) + Y(n m) + (n-2) Q(n m, m) + K(m)"}};
constexpr Algorithm algorithm_of_alltoallv{
    .operation = CollectiveOperation::alltoallv,
    .place = 60,
    .name = "broadcasts",
    .function = alltoall_broadcasts,
    .means = means::broadcast,
    .needs = need::broadcast,
    .cost = "B(16 n, 16) + Y(16 n) + (n-2) Q(16 n, 16) + B(n m, m) + Y(n m) + (n-2) Q(n m, m) + K(m)"};
const Row<Algorithm> alltoallv_broadcasts_row{algorithm_of_alltoallv},
    alltoallw_broadcasts_row{algorithm_of_alltoallv.of(CollectiveOperation::alltoallw, 60)};

}  // namespace

}  // namespace hindcast::mpi
