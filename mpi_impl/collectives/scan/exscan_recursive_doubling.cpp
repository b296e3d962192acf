// Exclusive scan by recursive doubling: as the scan, and each rank also keeps what it has heard without its own
// operand.
// Needs: nothing. In place the operand is copied; an operation of the program's own takes a copy more.
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

Task exscan_recursive_doubling(Collective& collective, Block mine, Block result) {
  const int rank = collective.rank();
  const Scratch own(collective.pool(), mine), heard(collective.pool(), mine);
  Block sum = mine;
  if (mine.data == result.data) {
    sum = own.block();
    collective.copy(mine, sum);
  }
  for (int distance = 1; distance < collective.size(); distance *= 2) {
    const Block& before = distance == 1 ? result : heard.block();
    if (rank >= distance) collective.post_receive(before, rank - distance);
    if (rank + distance < collective.size()) collective.post_send(sum, rank + distance);
    co_await collective.all();
    if (rank < distance) continue;
    if (distance > 1) collective.combine(before.data, result);
    collective.combine(before.data, sum.data, own.block());
    sum = own.block();
  }
}

const Row<Algorithm> exscan_recursive_doubling_row{{.operation = CollectiveOperation::exscan,
                                                    .place = 10,
                                                    .name = "recursive_doubling",
                                                    .function = exscan_recursive_doubling,
                                                    .means = means::messages,
                                                    .cost = "doubling(n: m, C(m) + [C(m) if i > 0])"}};

}  // namespace

}  // namespace hindcast::mpi
