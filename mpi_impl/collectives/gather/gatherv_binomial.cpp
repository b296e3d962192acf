// Gather of blocks of any lengths along a binomial tree. Lengths go ahead of the data: each rank tells its parent those
// of all ranks below it, then sends their blocks together. The root knows them, and is told nothing.
// Needs: nothing.
#include <cstdint>

#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/layout_of_ranks.hpp"
#include "mpi_impl/collectives/patterns/lengths_below.hpp"

namespace hindcast::mpi {

namespace {

// The blocks below the root come together, and are taken apart there.
Task gather_at_root(Collective& collective, Block mine, Blocks all, int root, Knomial tree) {
  Lengths lengths;
  for (int place = 0; place < collective.size(); ++place)
    lengths.push_back(all.of(collective.neighbour(place)).bytes());
  const Scratch together(collective.pool(), sum_of(lengths, 1, collective.size() - 1));
  std::byte* at = together.bytes();
  for (int stride = 1; stride < collective.size(); stride *= 2) {
    const std::uint64_t bytes = sum_of(lengths, stride, tree.held(stride, stride));
    collective.post_receive(bytes_at(at, bytes), collective.neighbour(stride));
    at += bytes;
  }
  collective.copy(mine, all.of(root));
  co_await collective.all();
  at = together.bytes();
  for (int place = 1; place < collective.size(); ++place) {
    const std::uint64_t bytes = lengths[static_cast<std::size_t>(place)];
    collective.copy(bytes_at(at, bytes), all.of(collective.neighbour(place)));
    at += bytes;
  }
}

Task gather_lengths(Collective& collective, Lengths& lengths, Knomial tree, int parent) {
  for (int stride = 1; stride <= tree.widest_stride() && tree.has_child(stride); stride *= 2)
    collective.post_receive(block_of(lengths, stride, tree.held(stride, stride)), collective.neighbour(stride));
  co_await collective.all();
  if (collective.neighbour(-tree.place()) != parent)
    co_await collective.send(block_of(lengths, 0, tree.held()), parent);
}

Task gatherv_binomial(Collective& collective, Block mine, Blocks all, int root) {
  const Knomial tree = knomial(collective, root, 2);
  if (tree.is_root()) {
    co_await gather_at_root(collective, mine, all, root, tree);
    co_return;
  }
  const int parent = collective.neighbour(-tree.distance_to_parent());
  Lengths lengths(static_cast<std::size_t>(tree.held()));
  lengths[0] = mine.bytes();
  co_await gather_lengths(collective, lengths, tree, parent);
  if (tree.held() == 1) {
    co_await collective.send(mine, parent);
    co_return;
  }
  const Scratch together(collective.pool(), sum_of(lengths, 0, tree.held()));
  for (int stride = 1; stride <= tree.widest_stride() && tree.has_child(stride); stride *= 2)
    collective.post_receive(
        bytes_at(together.bytes() + sum_of(lengths, 0, stride), sum_of(lengths, stride, tree.held(stride, stride))),
        collective.neighbour(stride));
  collective.copy(mine, bytes_at(together.bytes(), lengths[0]));
  co_await collective.all();
  co_await collective.send(together.block(), parent);
}

const Row<Algorithm> gatherv_binomial_row{
    {.operation = CollectiveOperation::gatherv,
     .place = 20,
     .name = "binomial",
     .function = gatherv_binomial,
     .means = means::trees,
     .cost = "up_knomial_at_once(2: b m, 0, [lengths if i > 0 else K(m)]) + K((n-1) m) "
             "where lengths = among(b: up_knomial_at_once(2: 8 b)) + [S(8 b) if i > 1]"}};

}  // namespace

}  // namespace hindcast::mpi
