// Barrier of two levels: leaders of groups hear from their members, by a gather of nothing, meet, and tell their
// members, along a binomial tree.
// Needs: several levels.
#include "mpi_impl/collectives/bcast/binomial.hpp"
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/grouped_blocks.hpp"
#include "mpi_impl/collectives/patterns/two_levels.hpp"

namespace hindcast::mpi {

namespace {

Task barrier_two_level(Collective& collective) {
  const Block nothing = bytes_at(nullptr, 0);
  TwoLevels levels(collective);
  co_await levels.inner<GatherFunction>()(levels.inside(), nothing, blocks_of_bytes(nullptr, 0), 0);
  if (levels.is_leader()) co_await levels.outer<BarrierFunction>()(levels.between());
  co_await bcast_binomial(levels.inside(), nothing, 0);
}

const Row<Algorithm> barrier_two_level_row{{.operation = CollectiveOperation::barrier,
                                            .place = 100,
                                            .name = "two_level",
                                            .function = barrier_two_level,
                                            .means = means::trees,
                                            .needs = need::levels,
                                            .inner = {CollectiveOperation::gather, "binomial"},
                                            .outer = {CollectiveOperation::barrier, "dissemination"},
                                            .cost = "inner(0) + outer(0) + within(down_knomial(2: 0))"}};

}  // namespace

}  // namespace hindcast::mpi
