// Reduction of two levels: inside each group, then between the leaders of groups, of which the root is one. Operands
// stay in the order of ranks if groups have consecutive ranks.
// Needs: several levels, and a commutative operation or groups of consecutive ranks.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/two_levels.hpp"

namespace hindcast::mpi {

namespace {

Task reduce_two_level(Collective& collective, Block mine, Block result, int root) {
  if (mine.count == 0) co_return;
  TwoLevels levels(collective, root);
  const bool has_result = collective.rank() == root, is_alone = levels.inside().size() == 1;
  const Scratch memory(collective.pool(), levels.is_leader() && !has_result && !is_alone ? mine : mine.part(0, 0));
  const Block sum = is_alone ? mine : has_result ? result : Block{memory.block().data, mine.count, mine.type};
  if (!is_alone) co_await levels.inner<ReduceFunction>()(levels.inside(), mine, sum, levels.leader());
  if (levels.is_leader()) co_await levels.outer<ReduceFunction>()(levels.between(), sum, result, levels.root_group());
}

const Row<Algorithm> reduce_two_level_row{{.operation = CollectiveOperation::reduce,
                                           .place = 100,
                                           .name = "two_level",
                                           .function = reduce_two_level,
                                           .means = means::trees,
                                           .needs = need::levels | need::levels_in_order,
                                           .inner = {CollectiveOperation::reduce, "binomial"},
                                           .outer = {CollectiveOperation::reduce, "binomial"},
                                           .cost = "inner(m) + outer(m)"}};

}  // namespace

}  // namespace hindcast::mpi
