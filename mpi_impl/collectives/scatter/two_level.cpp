// Scatter of two levels: the leaders of groups, of which the root is one, get the blocks of their groups from the root,
// and scatter them inside. Where lengths differ members tell their leaders first; the root knows them.
// Needs: several levels.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/lengths_of_members.hpp"
#include "mpi_impl/collectives/patterns/two_levels.hpp"

namespace hindcast::mpi {

namespace {

Task scatter_from_root(Collective& collective, TwoLevels& levels, Blocks all, Block mine) {
  GroupedBlocks blocks(collective, all, levels.division());
  blocks.fill();
  co_await levels.outer<ScatterFunction>()(levels.between(), blocks.groups(), blocks.of_group(levels.group()),
                                           levels.root_group());
  co_await levels.inner<ScatterFunction>()(levels.inside(), blocks.members(levels.group()), mine, levels.leader());
}

// `all` are the places of the members' blocks, in `memory`.
Task scatter_from_leader(Collective&, TwoLevels& levels, Blocks all, Block memory, Block mine) {
  co_await levels.outer<ScatterFunction>()(levels.between(), {}, memory, levels.root_group());
  co_await levels.inner<ScatterFunction>()(levels.inside(), all, mine, 0);
}

Task scatter_two_level(Collective& collective, Blocks all, Block mine, int root) {
  TwoLevels levels(collective, root);
  if (collective.rank() == root) {
    co_await scatter_from_root(collective, levels, all, mine);
  } else if (levels.is_leader()) {
    const Scratch memory(collective.pool(), mine.bytes() * static_cast<std::size_t>(levels.inside().size()));
    co_await scatter_from_leader(collective, levels, blocks_of_bytes(memory.bytes(), mine.bytes()), memory.block(),
                                 mine);
  } else {
    co_await levels.inner<ScatterFunction>()(levels.inside(), {}, mine, levels.leader());
  }
}

Task scatterv_two_level(Collective& collective, Blocks all, Block mine, int root) {
  TwoLevels levels(collective, root);
  Collective& inside = levels.inside();
  if (collective.rank() == root) {
    co_await scatter_from_root(collective, levels, all, mine);
  } else if (levels.is_leader()) {
    BlocksOfLengths lengths;
    co_await hear_lengths(inside, mine.bytes(), lengths);
    const Scratch memory(collective.pool(), lengths.bytes());
    co_await scatter_from_leader(collective, levels, lengths.at(memory.bytes()), memory.block(), mine);
  } else {
    if (levels.group() != levels.root_group()) co_await tell_length(inside, mine.bytes());
    co_await levels.inner<ScatterFunction>()(inside, {}, mine, levels.leader());
  }
}

const Row<Algorithm> scatter_two_level_row{{.operation = CollectiveOperation::scatter,
                                            .place = 100,
                                            .name = "two_level",
                                            .function = scatter_two_level,
                                            .means = means::trees,
                                            .needs = need::levels,
                                            .inner = {CollectiveOperation::scatter, "binomial"},
                                            .outer = {CollectiveOperation::scatterv, "linear"},
                                            .cost = "outer(p m) - max(0, K(p m) - R(p m)) + inner(m)"}};
const Row<Algorithm> scatterv_two_level_row{{.operation = CollectiveOperation::scatterv,
                                             .place = 100,
                                             .name = "two_level",
                                             .function = scatterv_two_level,
                                             .means = means::trees,
                                             .needs = need::levels,
                                             .inner = {CollectiveOperation::scatterv, "linear"},
                                             .outer = {CollectiveOperation::scatterv, "linear"},
                                             .cost = "max(a + R(p m) + W(p m), outer(p m) - max(0, K(p m) - R(p m))) + "
                                                     "inner(m) where a = within(T(8) + (n-2) R(8))"}};

}  // namespace

}  // namespace hindcast::mpi
