// Scan along a chain: each rank combines what the ranks before it have come to with its operand, and hands it on.
// Needs: nothing. Costs: (n - 1) (T(m) + C(m)) + K(m).
#include "mpi_impl/collectives/algorithms.hpp"

namespace hindcast::mpi {

Task scan_linear(Collective& collective, Block mine, Block result) {
  const int rank = collective.rank();
  collective.copy(mine, result);
  if (rank > 0) {
    const Scratch before(collective.pool(), mine);
    co_await collective.receive(before.block(), rank - 1);
    collective.combine(before.block().data, result);
  }
  if (rank + 1 < collective.size()) co_await collective.send(result, rank + 1);
}

}  // namespace hindcast::mpi
