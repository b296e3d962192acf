// Allgather by a gather at rank 0 and a broadcast along a binomial tree.
// Needs: nothing. Costs: T(m) + (n - 2) R(m) + ceil(log2 n) T(n m).
#include "mpi_impl/collectives/framework/algorithms.hpp"
#include "mpi_impl/collectives/framework/pieces.hpp"

namespace hindcast::mpi {

Task allgather_gather_bcast(Collective& collective, Block mine, Blocks all) {
  Assembled blocks(collective, all);
  if (collective.rank() == 0) {
    for (int rank = 1; rank < collective.size(); ++rank) collective.post_receive(blocks.of(rank), rank);
    collective.copy(mine, blocks.of(0));
    co_await collective.all();
  } else {
    co_await collective.send(mine, 0);
  }
  co_await bcast_binomial(collective, blocks.range(0, collective.size()), 0);
  blocks.put_back();
}

}  // namespace hindcast::mpi
