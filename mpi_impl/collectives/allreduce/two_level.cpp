// Allreduce of two levels: a reduction inside each group, an allreduce between the leaders of groups, and a broadcast
// inside each group along a binomial tree. Operands stay in the order of ranks if groups have consecutive ranks.
// Needs: several levels, and a commutative operation or groups of consecutive ranks.
#include "mpi_impl/collectives/bcast/binomial.hpp"
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/two_levels.hpp"

namespace hindcast::mpi {

namespace {

Task allreduce_two_level(Collective& collective, Block mine, Block result) {
  if (mine.count == 0) co_return;
  TwoLevels levels(collective);
  const bool is_alone = levels.inside().size() == 1;
  if (!is_alone) co_await levels.inner<ReduceFunction>()(levels.inside(), mine, result, 0);
  if (levels.is_leader())
    co_await levels.outer<AllreduceFunction>()(levels.between(), is_alone ? mine : result, result);
  co_await bcast_binomial(levels.inside(), result, 0);
}

const Row<Algorithm> allreduce_two_level_row{{.operation = CollectiveOperation::allreduce,
                                              .place = 100,
                                              .name = "two_level",
                                              .function = allreduce_two_level,
                                              .means = means::trees,
                                              .needs = need::levels | need::levels_in_order,
                                              .inner = {CollectiveOperation::reduce, "binomial"},
                                              .outer = {CollectiveOperation::allreduce, "recursive_doubling"},
                                              .cost = "inner(m) + outer(m) + within(down_knomial(2: m))"}};

}  // namespace

}  // namespace hindcast::mpi
