// Barrier by a gather of nothing along a k-ary tree, and the machine's broadcast of nothing. Nothing has to come in
// order, so the last child may be heard first: it never has more ranks below it than those before it, and comes no
// later. Or children are heard in their order, as a reduction hears them.
// Needs: the machine's broadcast.
#include "mpi_impl/collectives/bcast/native.hpp"
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/layout_of_ranks.hpp"

namespace hindcast::mpi {

namespace {

Task up_and_broadcast(Collective& collective, bool last_first) {
  const Block nothing = bytes_at(nullptr, 0);
  const Kary tree(collective, 0, collective.parameters().radix);
  const int children = tree.children();
  for (int i = 0; i < children; ++i)
    co_await collective.receive(nothing, tree.child(last_first ? children - 1 - i : i));
  if (!tree.is_root()) co_await collective.send(nothing, tree.parent());
  co_await bcast_native(collective, nothing, 0);
}

Task barrier_tree_broadcast(Collective& collective) { return up_and_broadcast(collective, true); }
Task barrier_ordered_tree_broadcast(Collective& collective) { return up_and_broadcast(collective, false); }

const Row<Algorithm> barrier_tree_broadcast_row{{.operation = CollectiveOperation::barrier,
                                                 .place = 70,
                                                 .name = "tree_broadcast",
                                                 .function = barrier_tree_broadcast,
                                                 .means = means::broadcast,
                                                 .needs = need::broadcast,
                                                 .defaults = {0, 3},
                                                 .radix_is_open = true,
                                                 .cost = "up_kary_last_first(k: 0) + B(0)"}};

const Row<Algorithm> barrier_ordered_tree_broadcast_row{{.operation = CollectiveOperation::barrier,
                                                         .place = 75,
                                                         .name = "ordered_tree_broadcast",
                                                         .function = barrier_ordered_tree_broadcast,
                                                         .means = means::broadcast,
                                                         .needs = need::broadcast,
                                                         .defaults = {0, 3},
                                                         .radix_is_open = true,
                                                         .cost = "up_kary(k: 0) + B(0)"}};

}  // namespace

}  // namespace hindcast::mpi
