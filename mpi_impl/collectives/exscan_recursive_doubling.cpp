// Exclusive scan by recursive doubling: as the scan, and each rank also keeps what it has heard without its own
// operand.
// Needs: nothing. Costs: ceil(log2 n) (T(m) + 2 C(m)) - C(m) + 3 K(m).
#include "mpi_impl/collectives/algorithms.hpp"

namespace hindcast::mpi {

Task exscan_recursive_doubling(Collective& collective, Block mine, Block result) {
  const int rank = collective.rank();
  const Scratch sum(collective.pool(), mine), before(collective.pool(), mine), heard(collective.pool(), mine);
  collective.copy(mine, sum.block());
  for (int distance = 1; distance < collective.size(); distance *= 2) {
    if (rank >= distance) collective.post_receive(heard.block(), rank - distance);
    if (rank + distance < collective.size()) collective.post_send(sum.block(), rank + distance);
    co_await collective.all();
    if (rank < distance) continue;
    if (distance == 1)
      collective.copy(heard.block(), before.block());
    else
      collective.combine(heard.block().data, before.block());
    collective.combine(heard.block().data, sum.block());
  }
  if (rank > 0) collective.copy(before.block(), result);
}

}  // namespace hindcast::mpi
