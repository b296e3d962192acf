// Allreduce by a reduction to rank 0 and a broadcast, both along binomial trees.
// Needs: nothing.
#include "mpi_impl/collectives/bcast/binomial.hpp"
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/reduce/knomial.hpp"

namespace hindcast::mpi {

namespace {

Task allreduce_reduce_bcast(Collective& collective, Block mine, Block result) {
  co_await reduce_knomial(collective, mine, result, 0);
  co_await bcast_binomial(collective, result, 0);
}

const Row<Algorithm> allreduce_reduce_bcast_row{{.operation = CollectiveOperation::allreduce,
                                                 .place = 60,
                                                 .name = "reduce_bcast",
                                                 .function = allreduce_reduce_bcast,
                                                 .means = means::trees,
                                                 .defaults = {0, 2},
                                                 .cost = "up_knomial(2: m, C(m)) + down_knomial(2: m)"}};

}  // namespace

}  // namespace hindcast::mpi
