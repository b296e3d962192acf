// Reduction along a k-nomial tree: each rank combines its operand with what its k - 1 children of each level have,
// nearest ones first, and sends the result to its parent. Operands stay in the order of ranks from the root on; if that
// matters the tree's root is rank 0, which hands the result to the root.
// Needs: nothing. An operation of the program's own takes a copy more.
#include "mpi_impl/collectives/reduce/knomial.hpp"

#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/layout_of_ranks.hpp"

namespace hindcast::mpi {

namespace {

// On the tree's root the sum comes into the result.
Task reduce_to_tree_root(Collective& collective, Block mine, Block result, int tree_root) {
  const int radix = collective.parameters().radix;
  const Knomial tree = knomial(collective, tree_root, radix);
  const bool is_leaf = tree.widest_stride() == 0 || !tree.has_child(1);
  const int operands = is_leaf ? 0 : radix - 1;  // that come in at a level
  const ScratchBlocks one(collective.pool(), mine, operands), other(collective.pool(), mine, operands);
  Block sum = mine;
  for (int stride = 1, level = 0; stride <= tree.widest_stride(); stride *= radix, ++level) {
    const ScratchBlocks& received = level % 2 == 0 ? one : other;
    int children = 0;
    for (; children < radix - 1 && tree.has_child((children + 1) * stride); ++children)
      collective.post_receive(received.of(children, mine.count), collective.neighbour((children + 1) * stride));
    for (int child = 0; child < children; ++child) {
      co_await collective.next();
      const Block operand = received.of(child, mine.count);
      const Block next = tree.is_root() && collective.combines_anywhere() ? result : operand;
      collective.combine(sum.data, operand.data, next);
      sum = next;
    }
  }
  if (tree.is_root())
    collective.copy(sum, result);
  else
    co_await collective.send(sum, collective.neighbour(-tree.distance_to_parent()));
}

}  // namespace

Task reduce_knomial(Collective& collective, Block mine, Block result, int root) {
  if (mine.count == 0) co_return;
  if (collective.is_commutative() || root == 0) {
    co_await reduce_to_tree_root(collective, mine, result, root);
  } else if (collective.rank() == 0) {
    const Scratch sum(collective.pool(), mine);
    co_await reduce_to_tree_root(collective, mine, sum.block(), 0);
    co_await collective.send(sum.block(), root);
  } else {
    co_await reduce_to_tree_root(collective, mine, result, 0);
    if (collective.rank() == root) co_await collective.receive(result, 0);
  }
}

namespace {

constexpr Algorithm binomial_reduce{.operation = CollectiveOperation::reduce,
                                    .place = 10,
                                    .name = "binomial",
                                    .function = reduce_knomial,
                                    .means = means::trees,
                                    .defaults = {0, 2},
                                    .cost = "up_knomial(k: m, C(m))"};
const Row<Algorithm> reduce_binomial_row{binomial_reduce}, reduce_knomial_row{binomial_reduce.knomial(20)};

}  // namespace

}  // namespace hindcast::mpi
