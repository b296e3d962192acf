// Scan along a chain: each rank combines what the ranks before it have come to with its operand, and hands it on.
// Needs: nothing. Rank 0, which only sends, copies its operand; an operation of the program's own takes a copy more at
// each rank.
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

Task scan_linear(Collective& collective, Block mine, Block result) {
  const int rank = collective.rank();
  if (rank > 0) {
    const Scratch before(collective.pool(), mine);
    co_await collective.receive(before.block(), rank - 1);
    collective.combine(before.block().data, mine.data, result);
  }
  if (rank + 1 < collective.size()) co_await collective.send(rank > 0 ? result : mine, rank + 1);
  if (rank == 0) collective.copy(mine, result);
}

const Row<Algorithm> scan_linear_row{{.operation = CollectiveOperation::scan,
                                      .place = 20,
                                      .name = "linear",
                                      .function = scan_linear,
                                      .means = means::messages,
                                      .cost = "max((n-1) (T(m) + C(m)), S(m) + K(m))"}};

}  // namespace

}  // namespace hindcast::mpi
