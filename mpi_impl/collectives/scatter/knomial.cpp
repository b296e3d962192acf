// Scatter along a k-nomial tree: each rank gets the blocks of all ranks below it from its parent, and hands them on.
// Needs: blocks of one length.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/layout_of_ranks.hpp"

namespace hindcast::mpi {

namespace {

// At the root, blocks that go on at the beginning of the ranks are put together first.
Task send_around_the_end(Collective& collective, Blocks all, int first, int ranks, int to) {
  const int before_end = collective.size() - first;
  const std::size_t bytes = all.of(0).bytes();
  const std::size_t bytes_before_end = bytes * static_cast<std::size_t>(before_end);
  const Scratch both(collective.pool(), bytes * static_cast<std::size_t>(ranks));
  collective.copy(all.range(first, before_end), bytes_at(both.bytes(), bytes_before_end));
  collective.copy(all.range(0, ranks - before_end),
                  bytes_at(both.bytes() + bytes_before_end, both.block().bytes() - bytes_before_end));
  co_await collective.send(both.block(), to);
}

Task scatter_from_root(Collective& collective, Blocks all, Block mine, int root, Knomial tree, int radix) {
  for (int stride = tree.widest_stride(); stride > 0; stride /= radix) {
    for (int digit = 1; digit < radix && tree.has_child(digit * stride); ++digit) {
      const int child = collective.neighbour(digit * stride);
      const int ranks = tree.held(digit * stride, stride);
      if (child + ranks <= collective.size())
        co_await collective.send(all.range(child, ranks), child);
      else
        co_await send_around_the_end(collective, all, child, ranks, child);
    }
  }
  collective.copy(all.of(root), mine);
}

Task scatter_knomial(Collective& collective, Blocks all, Block mine, int root) {
  const int radix = collective.parameters().radix;
  const Knomial tree = knomial(collective, root, radix);
  if (tree.is_root()) {
    co_await scatter_from_root(collective, all, mine, root, tree, radix);
    co_return;
  }
  const int parent = collective.neighbour(-tree.distance_to_parent());
  if (tree.held() == 1) {
    co_await collective.receive(mine, parent);
    co_return;
  }
  const std::size_t bytes = mine.bytes();
  const Scratch part(collective.pool(), bytes * static_cast<std::size_t>(tree.held()));
  co_await collective.receive(part.block(), parent);
  for (int stride = tree.widest_stride(); stride > 0; stride /= radix) {
    for (int digit = 1; digit < radix && tree.has_child(digit * stride); ++digit) {
      const auto distance = static_cast<std::size_t>(digit * stride);
      const auto ranks = static_cast<std::size_t>(tree.held(digit * stride, stride));
      collective.post_send(bytes_at(part.bytes() + bytes * distance, bytes * ranks),
                           collective.neighbour(digit * stride));
    }
  }
  collective.copy(bytes_at(part.bytes(), bytes), mine);
  co_await collective.all();
}

constexpr Algorithm binomial{.operation = CollectiveOperation::scatter,
                             .place = 20,
                             .name = "binomial",
                             .function = scatter_knomial,
                             .means = means::trees,
                             .defaults = {0, 2},
                             .cost = "down_knomial(k: b m) + max(0, K(m) - R(m))"};
const Row<Algorithm> scatter_binomial_row{binomial}, scatter_knomial_row{binomial.knomial(30)};

}  // namespace

}  // namespace hindcast::mpi
