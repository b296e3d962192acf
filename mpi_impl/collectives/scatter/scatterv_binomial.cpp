// Scatter of blocks of any lengths along a binomial tree: each rank that has others below it is told the lengths of
// their blocks, then gets these together, and hands them on.
// Needs: nothing.
#include <cstdint>

#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/layout_of_ranks.hpp"
#include "mpi_impl/collectives/patterns/lengths_below.hpp"

namespace hindcast::mpi {

namespace {

// From memory that has the blocks of all below together, but the calling rank's at the root.
void hand_on(Collective& collective, Knomial tree, Lengths& lengths, std::byte* together, std::uint64_t own) {
  for (int stride = tree.widest_stride(); stride > 0; stride /= 2) {
    if (!tree.has_child(stride)) continue;
    const int ranks = tree.held(stride, stride), child = collective.neighbour(stride);
    if (ranks > 1) collective.post_send(block_of(lengths, stride, ranks), child);
    collective.post_send(bytes_at(together + sum_of(lengths, 0, stride) - own, sum_of(lengths, stride, ranks)), child);
  }
}

Task scatter_from_root(Collective& collective, Blocks all, Block mine, int root, Knomial tree) {
  Lengths lengths;
  for (int place = 0; place < collective.size(); ++place)
    lengths.push_back(all.of(collective.neighbour(place)).bytes());
  const Scratch together(collective.pool(), sum_of(lengths, 1, collective.size() - 1));
  std::byte* at = together.bytes();
  for (int place = 1; place < collective.size(); ++place) {
    const std::uint64_t bytes = lengths[static_cast<std::size_t>(place)];
    collective.copy(all.of(collective.neighbour(place)), bytes_at(at, bytes));
    at += bytes;
  }
  hand_on(collective, tree, lengths, together.bytes(), lengths[0]);
  collective.copy(all.of(root), mine);
  co_await collective.all();
}

Task scatterv_binomial(Collective& collective, Blocks all, Block mine, int root) {
  const Knomial tree = knomial(collective, root, 2);
  if (tree.is_root()) {
    co_await scatter_from_root(collective, all, mine, root, tree);
    co_return;
  }
  const int parent = collective.neighbour(-tree.distance_to_parent());
  if (tree.held() == 1) {
    co_await collective.receive(mine, parent);
    co_return;
  }
  Lengths lengths(static_cast<std::size_t>(tree.held()));
  co_await collective.receive(block_of(lengths, 0, tree.held()), parent);
  const Scratch together(collective.pool(), sum_of(lengths, 0, tree.held()));
  co_await collective.receive(together.block(), parent);
  hand_on(collective, tree, lengths, together.bytes(), 0);
  collective.copy(bytes_at(together.bytes(), lengths[0]), mine);
  co_await collective.all();
}

const Row<Algorithm> scatterv_binomial_row{
    {.operation = CollectiveOperation::scatterv,
     .place = 20,
     .name = "binomial",
     .function = scatterv_binomial,
     .means = means::trees,
     .cost = "K((n-1) m) + down_knomial(2: b m, [S(8 b) if b > 1]) + max(0, K(m) - R(m))"}};

}  // namespace

}  // namespace hindcast::mpi
