// Broadcast of two levels: between the leaders of groups, of which the root is one, then inside each group.
// Needs: several levels.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/two_levels.hpp"

namespace hindcast::mpi {

namespace {

Task bcast_two_level(Collective& collective, Block data, int root) {
  TwoLevels levels(collective, root);
  if (levels.is_leader()) co_await levels.outer<BcastFunction>()(levels.between(), data, levels.root_group());
  co_await levels.inner<BcastFunction>()(levels.inside(), data, levels.leader());
}

const Row<Algorithm> bcast_two_level_row{{.operation = CollectiveOperation::bcast,
                                          .place = 100,
                                          .name = "two_level",
                                          .function = bcast_two_level,
                                          .means = means::trees,
                                          .needs = need::levels,
                                          .inner = {CollectiveOperation::bcast, "binomial"},
                                          .outer = {CollectiveOperation::bcast, "binomial"},
                                          .cost = "outer(m) + inner(m)"}};

}  // namespace

}  // namespace hindcast::mpi
