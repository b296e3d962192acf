// Gather of two levels: inside each group at its leader, then from the leaders, whose blocks are those of their groups,
// at the root, which leads its own. Where lengths differ members tell their leaders first; the root knows them.
// Needs: several levels.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/lengths_of_members.hpp"
#include "mpi_impl/collectives/patterns/two_levels.hpp"

namespace hindcast::mpi {

namespace {

Task gather_at_root(Collective& collective, TwoLevels& levels, Block mine, Blocks all) {
  GroupedBlocks blocks(collective, all, levels.division());
  co_await levels.inner<GatherFunction>()(levels.inside(), mine, blocks.members(levels.group()), levels.leader());
  co_await levels.outer<GatherFunction>()(levels.between(), blocks.of_group(levels.group()), blocks.groups(),
                                          levels.root_group());
  blocks.put_back();
}

// `all` are the places for the members' blocks, in `memory`.
Task gather_at_leader(Collective&, TwoLevels& levels, Block mine, Blocks all, Block memory) {
  co_await levels.inner<GatherFunction>()(levels.inside(), mine, all, 0);
  co_await levels.outer<GatherFunction>()(levels.between(), memory, {}, levels.root_group());
}

Task gather_two_level(Collective& collective, Block mine, Blocks all, int root) {
  TwoLevels levels(collective, root);
  if (collective.rank() == root) {
    co_await gather_at_root(collective, levels, mine, all);
  } else if (levels.is_leader()) {
    const Scratch memory(collective.pool(), mine.bytes() * static_cast<std::size_t>(levels.inside().size()));
    co_await gather_at_leader(collective, levels, mine, blocks_of_bytes(memory.bytes(), mine.bytes()), memory.block());
  } else {
    co_await levels.inner<GatherFunction>()(levels.inside(), mine, {}, levels.leader());
  }
}

Task gatherv_two_level(Collective& collective, Block mine, Blocks all, int root) {
  TwoLevels levels(collective, root);
  Collective& inside = levels.inside();
  if (collective.rank() == root) {
    co_await gather_at_root(collective, levels, mine, all);
  } else if (levels.is_leader()) {
    BlocksOfLengths lengths;
    co_await hear_lengths(inside, mine.bytes(), lengths);
    const Scratch memory(collective.pool(), lengths.bytes());
    co_await gather_at_leader(collective, levels, mine, lengths.at(memory.bytes()), memory.block());
  } else {
    if (levels.group() != levels.root_group()) co_await tell_length(inside, mine.bytes());
    co_await levels.inner<GatherFunction>()(inside, mine, {}, levels.leader());
  }
}

const Row<Algorithm> gather_two_level_row{{.operation = CollectiveOperation::gather,
                                           .place = 100,
                                           .name = "two_level",
                                           .function = gather_two_level,
                                           .means = means::trees,
                                           .needs = need::levels,
                                           .inner = {CollectiveOperation::gather, "binomial"},
                                           .outer = {CollectiveOperation::gatherv, "linear"},
                                           .cost = "inner(m) + outer(p m)"}};
const Row<Algorithm> gatherv_two_level_row{
    {.operation = CollectiveOperation::gatherv,
     .place = 100,
     .name = "two_level",
     .function = gatherv_two_level,
     .means = means::trees,
     .needs = need::levels,
     .inner = {CollectiveOperation::gatherv, "linear"},
     .outer = {CollectiveOperation::gatherv, "linear"},
     .cost = "inner(m) + within([a + (n-1) W(m) if S(8) + T(m) - R(m) < h else max(S(8), a)]) + outer(p m) where h = "
             "T(8) + (n-2) R(8), a = h + K(m) + R(m) - T(m)"}};

}  // namespace

}  // namespace hindcast::mpi
