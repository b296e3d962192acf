// Scan along a chain: each rank combines what the ranks before it have come to with its operand, and hands it on.
// Needs: nothing. Costs: (n - 1) (T(m) + C(m)); rank 0, S(m) + K(m). An operation of the program's own: K(m) more at
// each rank.
#include "mpi_impl/collectives/framework/algorithms.hpp"

namespace hindcast::mpi {

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

}  // namespace hindcast::mpi
