// Exclusive scan along a chain: each rank keeps what the ranks before it have come to, and hands it on combined with
// its operand.
// Needs: nothing. Costs: (n - 1) T(m) + (n - 2) (K(m) + C(m)) + K(m).
#include "mpi_impl/collectives/algorithms.hpp"

namespace hindcast::mpi {

Task exscan_linear(Collective& collective, Block mine, Block result) {
  const int rank = collective.rank();
  const bool is_last = rank + 1 == collective.size();
  if (rank == 0) {
    if (!is_last) co_await collective.send(mine, 1);
    co_return;
  }
  const Scratch before(collective.pool(), mine);
  co_await collective.receive(before.block(), rank - 1);
  if (!is_last) {
    const Scratch sum(collective.pool(), mine);
    collective.copy(mine, sum.block());
    collective.combine(before.block().data, sum.block());
    co_await collective.send(sum.block(), rank + 1);
  }
  collective.copy(before.block(), result);
}

}  // namespace hindcast::mpi
