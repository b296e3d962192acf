// Barrier along a k-ary tree: each rank tells its parent once all its children have told it, and the word to go on
// comes down the same way.
// Needs: nothing.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/layout_of_ranks.hpp"

namespace hindcast::mpi {

namespace {

Task barrier_tree(Collective& collective) {
  const Block nothing = bytes_at(nullptr, 0);
  const Kary tree(collective, 0, collective.parameters().radix);
  const int children = tree.children();
  for (int i = 0; i < children; ++i) collective.post_receive(nothing, tree.child(i));
  co_await collective.all();
  if (!tree.is_root()) {
    co_await collective.send(nothing, tree.parent());
    co_await collective.receive(nothing, tree.parent());
  }
  for (int i = 0; i < children; ++i) collective.post_send(nothing, tree.child(i));
  co_await collective.all();
}

const Row<Algorithm> barrier_tree_row{{.operation = CollectiveOperation::barrier,
                                       .place = 40,
                                       .name = "tree",
                                       .function = barrier_tree,
                                       .means = means::trees,
                                       .defaults = {0, 2},
                                       .radix_is_open = true,
                                       .cost = "up_kary(k: 0) + down_kary(k: 0)"}};

}  // namespace

}  // namespace hindcast::mpi
