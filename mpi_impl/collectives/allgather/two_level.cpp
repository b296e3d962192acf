// Allgather of two levels: a gather inside each group, an allgather between the leaders of groups, whose blocks are
// those of their groups, and a broadcast of all blocks inside each group along a binomial tree. With the usual
// allgather between leaders one message goes from each group to each other. Needs: several levels.
#include "mpi_impl/collectives/bcast/binomial.hpp"
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/grouped_blocks.hpp"
#include "mpi_impl/collectives/patterns/two_levels.hpp"

namespace hindcast::mpi {

namespace {

Task allgather_two_level(Collective& collective, Block mine, Blocks all) {
  TwoLevels levels(collective);
  GroupedBlocks blocks(collective, all, levels.division());
  co_await levels.inner<GatherFunction>()(levels.inside(), mine, blocks.members(levels.group()), 0);
  if (levels.is_leader())
    co_await levels.outer<AllgatherFunction>()(levels.between(), blocks.of_group(levels.group()), blocks.groups());
  co_await bcast_binomial(levels.inside(), blocks.whole(), 0);
  blocks.put_back();
}

constexpr Algorithm allgather_two_level_algorithm{
    .operation = CollectiveOperation::allgather,
    .place = 100,
    .name = "two_level",
    .function = allgather_two_level,
    .means = means::trees,
    .needs = need::levels,
    .inner = {CollectiveOperation::gatherv, "linear"},
    .outer = {CollectiveOperation::allgatherv, "linear"},
    .cost = "inner(m) + outer(p m) - K(p m) + within(down_knomial(2: g p m))"};
const Row<Algorithm> allgather_two_level_row{allgather_two_level_algorithm},
    allgatherv_two_level_row{allgather_two_level_algorithm.of(CollectiveOperation::allgatherv, 100)};

}  // namespace

}  // namespace hindcast::mpi
