// Allgather by recursive doubling: in round k partners 2^k apart swap all the blocks that they have.
// Needs: a power of two of ranks. Costs: T(m) + T(2 m) + T(4 m) + ... + T(n m / 2) + K(m).
#include "mpi_impl/collectives/framework/algorithms.hpp"
#include "mpi_impl/collectives/framework/pieces.hpp"

namespace hindcast::mpi {

Task allgather_recursive_doubling(Collective& collective, Block mine, Blocks all) {
  const int rank = collective.rank();
  Assembled blocks(collective, all);
  collective.copy(mine, blocks.of(rank));
  const SentForGood stays(collective);
  for (int distance = 1; distance < collective.size(); distance *= 2) {
    const int partner = rank ^ distance;
    co_await collective.exchange(blocks.range(rank & -distance, distance), partner,
                                 blocks.range(partner & -distance, distance), partner);
  }
  blocks.put_back();
}

}  // namespace hindcast::mpi
