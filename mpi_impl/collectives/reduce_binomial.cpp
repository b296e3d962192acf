// Reduction along a binomial tree. Operands stay in the order of ranks from the root on; if that matters the tree's
// root is rank 0, which hands the result to the root. Needs: nothing. Costs: ceil(log2 n) (T(m) + combining), and T(m)
// more if the order matters and the root is not 0.
#include <utility>

#include "mpi_impl/collectives/algorithms.hpp"

namespace hindcast::mpi {

void reduce_binomial(Collective& collective, const Block& mine, const Block& result, const Op& op, int root) {
  if (mine.count == 0) return;
  const int n = collective.size();
  const int tree_root = op.is_commutative ? root : 0;
  const int from_root = collective.neighbour(-tree_root);
  Scratch first(mine), second(mine);
  Block sum = first.block();
  Block other = second.block();
  collective.copy(mine, sum);
  for (int distance = 1; distance < n; distance *= 2) {
    if ((from_root & distance) != 0) {
      collective.send(sum, collective.neighbour(-distance));
      break;
    }
    if (from_root + distance >= n) continue;
    collective.receive(other, collective.neighbour(distance));
    collective.combine(sum.data, other, op);
    std::swap(sum, other);
  }
  if (tree_root == root) {
    if (collective.rank() == root) collective.copy(sum, result);
  } else if (collective.rank() == tree_root) {
    collective.send(sum, root);
  } else if (collective.rank() == root) {
    collective.receive(result, tree_root);
  }
}

}  // namespace hindcast::mpi
