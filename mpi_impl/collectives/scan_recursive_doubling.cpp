// Scan by recursive doubling: in round k each rank tells the one 2^k further on what the last 2^k ranks have come to,
// and puts what it hears before its own. Needs: nothing. Costs: ceil(log2 n) (T(m) + C(m)) + 2 K(m).
#include "mpi_impl/collectives/algorithms.hpp"

namespace hindcast::mpi {

Task scan_recursive_doubling(Collective& collective, Block mine, Block result) {
  const int rank = collective.rank();
  const Scratch sum(collective.pool(), mine), before(collective.pool(), mine);
  collective.copy(mine, sum.block());
  for (int distance = 1; distance < collective.size(); distance *= 2) {
    if (rank >= distance) collective.post_receive(before.block(), rank - distance);
    if (rank + distance < collective.size()) collective.post_send(sum.block(), rank + distance);
    co_await collective.all();
    if (rank >= distance) collective.combine(before.block().data, sum.block());
  }
  collective.copy(sum.block(), result);
}

}  // namespace hindcast::mpi
