// Allreduce by a reduction to rank 0 along a k-ary tree, and the machine's broadcast.
// Needs: a commutative operation and the machine's broadcast.
#include "mpi_impl/collectives/bcast/native.hpp"
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/reduce/tree.hpp"

namespace hindcast::mpi {

namespace {

Task allreduce_tree_broadcast(Collective& collective, Block mine, Block result) {
  co_await reduce_tree(collective, mine, result, 0);
  co_await bcast_native(collective, result, 0);
}

const Row<Algorithm> allreduce_tree_broadcast_row{{.operation = CollectiveOperation::allreduce,
                                                   .place = 70,
                                                   .name = "tree_broadcast",
                                                   .function = allreduce_tree_broadcast,
                                                   .means = means::broadcast,
                                                   .needs = need::commutative | need::broadcast,
                                                   .defaults = {0, 3},
                                                   .radix_is_open = true,
                                                   .cost = "up_kary(k: m, C(m)) + B(m)"}};

}  // namespace

}  // namespace hindcast::mpi
