// Reduction along a k-ary tree: each rank receives from its children in turn and combines, then sends to its parent.
// Needs: a commutative operation.
#include "mpi_impl/collectives/reduce/tree.hpp"

#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/layout_of_ranks.hpp"

namespace hindcast::mpi {

Task reduce_tree(Collective& collective, Block mine, Block result, int root) {
  if (mine.count == 0) co_return;
  const Kary tree(collective, root, collective.parameters().radix);
  const int children = tree.children();
  if (children == 0) {
    if (tree.is_root())
      collective.copy(mine, result);
    else
      co_await collective.send(mine, tree.parent());
    co_return;
  }
  const Scratch own(collective.pool(), mine), operand(collective.pool(), mine);
  const Block sum = tree.is_root() ? result : own.block();
  for (int i = 0; i < children; ++i) {
    const bool begins_sum = i == 0 && sum.data != mine.data;
    const Block& received = begins_sum ? sum : operand.block();
    co_await collective.receive(received, tree.child(i));
    collective.combine(begins_sum ? mine.data : operand.block().data, sum);
  }
  if (!tree.is_root()) co_await collective.send(sum, tree.parent());
}

namespace {

const Row<Algorithm> reduce_tree_row{{.operation = CollectiveOperation::reduce,
                                      .place = 60,
                                      .name = "tree",
                                      .function = reduce_tree,
                                      .means = means::trees,
                                      .needs = need::commutative,
                                      .defaults = {0, 3},
                                      .radix_is_open = true,
                                      .cost = "up_kary(k: m, C(m))"}};

}  // namespace

}  // namespace hindcast::mpi
