// Exclusive scan along a chain: each rank keeps what the ranks before it have come to, and hands it on combined with
// its operand.
// Needs: nothing. In place the operand is copied; an operation of the program's own takes a copy more with each
// combination.
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

Task exscan_linear(Collective& collective, Block mine, Block result) {
  const int rank = collective.rank();
  const bool is_last = rank + 1 == collective.size();
  if (rank == 0) {
    if (!is_last) co_await collective.send(mine, 1);
    co_return;
  }
  const bool is_in_place = mine.data == result.data;
  const Scratch room(collective.pool(), is_in_place ? mine : mine.part(0, 0));
  const Block before = is_in_place ? room.block() : result;
  co_await collective.receive(before, rank - 1);
  if (!is_last) {
    const Scratch sum(collective.pool(), mine);
    collective.combine(before.data, mine.data, sum.block());
    co_await collective.send(sum.block(), rank + 1);
  }
  collective.copy(before, result);
}

const Row<Algorithm> exscan_linear_row{{.operation = CollectiveOperation::exscan,
                                        .place = 20,
                                        .name = "linear",
                                        .function = exscan_linear,
                                        .means = means::messages,
                                        .cost = "(n-1) T(m) + (n-2) C(m)"}};

}  // namespace

}  // namespace hindcast::mpi
