// Reduce-scatter around a ring: each block goes once around, collects the operands, and ends at the rank that it is
// for.
// Needs: a commutative operation. In place the block is copied once more; an operation of the program's own takes a
// copy more.
#include <utility>

#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

Task reduce_scatter_ring(Collective& collective, Blocks mine, Block result) {
  const int n = collective.size(), after = collective.neighbour(1), before = collective.neighbour(-1);
  Block longest = mine.of(0);
  for (int rank = 1; rank < n; ++rank) longest.count = std::max(longest.count, mine.of(rank).count);
  const Scratch one(collective.pool(), longest), two(collective.pool(), longest);
  Block memory = one.block(), other = two.block();
  Block sum = mine.of(before);
  const bool is_in_place = mine.of(0).data == result.data;  // over a part of the last operand
  const bool may_end_in_result = collective.combines_anywhere() && !is_in_place;
  for (int round = 0; round + 1 < n; ++round) {
    const Block operand = mine.of(collective.neighbour(-round - 2));
    const Block received = memory.part(0, operand.count);
    co_await collective.exchange(sum, after, received, before);
    sum = round + 2 == n && may_end_in_result ? result : received;
    collective.combine(operand.data, received.data, sum);
    std::swap(memory, other);
  }
  if (n == 1) sum = mine.of(0);
  collective.copy(sum, result);
}

constexpr Algorithm reduce_scatter_block_ring_algorithm{.operation = CollectiveOperation::reduce_scatter_block,
                                                        .place = 30,
                                                        .name = "ring",
                                                        .function = reduce_scatter_ring,
                                                        .means = means::messages,
                                                        .needs = need::commutative,
                                                        .cost = "(n-1) (T(m) + C(m))"};
const Row<Algorithm> reduce_scatter_block_ring_row{reduce_scatter_block_ring_algorithm},
    reduce_scatter_ring_row{reduce_scatter_block_ring_algorithm.of(CollectiveOperation::reduce_scatter, 30)};

}  // namespace

}  // namespace hindcast::mpi
