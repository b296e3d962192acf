// Barrier by a gather of nothing along a k-ary tree, and the machine's broadcast of nothing. Nothing has to come in
// order, so the last child is heard first: it never has more ranks below it than those before it, and comes no later.
// Needs: the machine's broadcast.
#include "mpi_impl/collectives/bcast/native.hpp"
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/layout_of_ranks.hpp"

namespace hindcast::mpi {

namespace {

Task barrier_tree_broadcast(Collective& collective) {
  const Block nothing = bytes_at(nullptr, 0);
  const Kary tree(collective, 0, collective.parameters().radix);
  for (int i = tree.children() - 1; i >= 0; --i) co_await collective.receive(nothing, tree.child(i));
  if (!tree.is_root()) co_await collective.send(nothing, tree.parent());
  co_await bcast_native(collective, nothing, 0);
}

const Row<Algorithm> barrier_tree_broadcast_row{{.operation = CollectiveOperation::barrier,
                                                 .place = 70,
                                                 .name = "tree_broadcast",
                                                 .function = barrier_tree_broadcast,
                                                 .means = means::broadcast,
                                                 .needs = need::broadcast,
                                                 .defaults = {0, 3},
                                                 .radix_is_open = true,
                                                 .cost = "longest_way_up_last_first(0, 0) + B(0)"}};

}  // namespace

}  // namespace hindcast::mpi
