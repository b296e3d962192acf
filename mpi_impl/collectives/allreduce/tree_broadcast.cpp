// Allreduce by a reduction to rank 0 along a k-ary tree, and the machine's broadcast.
// Needs: a commutative operation and the machine's broadcast. Costs: what reduce's tree costs, and B(m).
#include "mpi_impl/collectives/framework/algorithms.hpp"

namespace hindcast::mpi {

Task allreduce_tree_broadcast(Collective& collective, Block mine, Block result) {
  co_await reduce_tree(collective, mine, result, 0);
  co_await bcast_native(collective, result, 0);
}

}  // namespace hindcast::mpi
