// Barrier along a k-ary tree: each rank tells its parent once all its children have told it, and the word to go on
// comes down the same way.
// Needs: nothing. Costs: T(0) + (k - 1) R(0) for every level on the longest way up, and T(0) + i S(0) for every i-th
// child on the longest way down.
#include "mpi_impl/collectives/framework/algorithms.hpp"
#include "mpi_impl/collectives/patterns/layout_of_ranks.hpp"

namespace hindcast::mpi {

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

}  // namespace hindcast::mpi
