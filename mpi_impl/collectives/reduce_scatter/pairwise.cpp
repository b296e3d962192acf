// Reduce-scatter in n - 1 rounds: in round k each rank sends the one k further on the block for it, and combines the
// block that it gets with its own.
// Needs: a commutative operation. In place the block is copied once more; an operation of the program's own takes a
// copy more.
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

Task reduce_scatter_pairwise(Collective& collective, Blocks mine, Block result) {
  const Block own = mine.of(collective.rank());
  const bool is_in_place = mine.of(0).data == result.data;  // over a block that is still to be sent
  const Scratch room(collective.pool(), is_in_place ? own : own.part(0, 0)), received(collective.pool(), own);
  const Block place = is_in_place ? room.block() : result;
  Block sum = own;
  for (int round = 1; round < collective.size(); ++round) {
    const int to = collective.neighbour(round), from = collective.neighbour(-round);
    co_await collective.exchange(mine.of(to), to, received.block(), from);
    collective.combine(received.block().data, sum.data, place);
    sum = place;
  }
  collective.copy(sum, result);
}

constexpr Algorithm reduce_scatter_block_pairwise_algorithm{.operation = CollectiveOperation::reduce_scatter_block,
                                                            .place = 20,
                                                            .name = "pairwise",
                                                            .function = reduce_scatter_pairwise,
                                                            .means = means::messages,
                                                            .needs = need::commutative,
                                                            .cost = "(n-1) (T(m) + C(m))"};
const Row<Algorithm> reduce_scatter_block_pairwise_row{reduce_scatter_block_pairwise_algorithm},
    reduce_scatter_pairwise_row{reduce_scatter_block_pairwise_algorithm.of(CollectiveOperation::reduce_scatter, 20)};

}  // namespace

}  // namespace hindcast::mpi
