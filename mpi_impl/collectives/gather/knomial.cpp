// Gather along a k-nomial tree: each rank puts the blocks of all ranks below it together and sends them to its parent.
// Needs: blocks of one length.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/layout_of_ranks.hpp"

namespace hindcast::mpi {

namespace {

// At the root, blocks that go on at the beginning of the ranks come in two parts.
Task receive_around_the_end(Collective& collective, Blocks all, int first, int ranks, int from) {
  const int before_end = collective.size() - first;
  const std::size_t bytes = all.of(0).bytes();
  const std::size_t bytes_before_end = bytes * static_cast<std::size_t>(before_end);
  const Scratch both(collective.pool(), bytes * static_cast<std::size_t>(ranks));
  co_await collective.receive(both.block(), from);
  collective.copy(bytes_at(both.bytes(), bytes_before_end), all.range(first, before_end));
  collective.copy(bytes_at(both.bytes() + bytes_before_end, both.block().bytes() - bytes_before_end),
                  all.range(0, ranks - before_end));
}

Task gather_at_root(Collective& collective, Block mine, Blocks all, int root, Knomial tree, int radix) {
  collective.copy(mine, all.of(root));
  for (int stride = 1; stride < collective.size(); stride *= radix) {
    for (int digit = 1; digit < radix && tree.has_child(digit * stride); ++digit) {
      const int child = collective.neighbour(digit * stride);
      const int ranks = tree.held(digit * stride, stride);
      if (child + ranks <= collective.size())
        collective.post_receive(all.range(child, ranks), child);
      else
        co_await receive_around_the_end(collective, all, child, ranks, child);
    }
    co_await collective.all();
  }
}

Task gather_knomial(Collective& collective, Block mine, Blocks all, int root) {
  const int radix = collective.parameters().radix;
  const Knomial tree = knomial(collective, root, radix);
  if (tree.is_root()) {
    co_await gather_at_root(collective, mine, all, root, tree, radix);
    co_return;
  }
  const int parent = collective.neighbour(-tree.distance_to_parent());
  if (tree.held() == 1) {
    co_await collective.send(mine, parent);
    co_return;
  }
  const std::size_t bytes = mine.bytes();
  const Scratch part(collective.pool(), bytes * static_cast<std::size_t>(tree.held()));
  collective.copy(mine, bytes_at(part.bytes(), bytes));
  for (int stride = 1; stride <= tree.widest_stride(); stride *= radix) {
    for (int digit = 1; digit < radix && tree.has_child(digit * stride); ++digit) {
      const auto distance = static_cast<std::size_t>(digit * stride);
      const auto ranks = static_cast<std::size_t>(tree.held(digit * stride, stride));
      collective.post_receive(bytes_at(part.bytes() + bytes * distance, bytes * ranks),
                              collective.neighbour(digit * stride));
    }
    co_await collective.all();
  }
  co_await collective.send(part.block(), parent);
}

constexpr Algorithm binomial_gather{.operation = CollectiveOperation::gather,
                                    .place = 20,
                                    .name = "binomial",
                                    .function = gather_knomial,
                                    .means = means::trees,
                                    .defaults = {0, 2},
                                    .cost = "up_knomial_by_levels(k: b m, 0, [K(m) if b > 1])"};
const Row<Algorithm> gather_binomial_row{binomial_gather}, gather_knomial_row{binomial_gather.knomial(30)};

}  // namespace

}  // namespace hindcast::mpi
