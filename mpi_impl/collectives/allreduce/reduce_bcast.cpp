// Allreduce by a reduction to rank 0 and a broadcast, both along binomial trees.
// Needs: nothing. Costs: ceil(log2 n) (2 T(m) + C(m)) + K(m).
#include "mpi_impl/collectives/framework/algorithms.hpp"

namespace hindcast::mpi {

Task allreduce_reduce_bcast(Collective& collective, Block mine, Block result) {
  co_await reduce_knomial(collective, mine, result, 0);
  co_await bcast_binomial(collective, result, 0);
}

}  // namespace hindcast::mpi
