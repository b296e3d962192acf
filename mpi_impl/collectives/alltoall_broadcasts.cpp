// All-to-all by a broadcast of the machine's from every rank, of all its blocks, of which each rank copies its own.
// Needs: the machine's broadcast. Costs: n B of n m bytes, of which m are copied, less what overlaps.
#include "mpi_impl/collectives/algorithms.hpp"
#include "mpi_impl/collectives/broadcast_blocks.hpp"

namespace hindcast::mpi {

Task alltoall_broadcasts(Collective& collective, Blocks out, Blocks in) {
  const bool have_one_length = out.counts == nullptr;
  if (collective.size() > 1) co_await broadcast_blocks(collective, out);
  collective.copy(out.of(collective.rank()), in.of(collective.rank()));
  for (int distance = 1; distance < collective.size(); ++distance) {
    const int from = collective.neighbour(distance);
    co_await receive_own_block(collective, in.of(from), from, have_one_length);
  }
}

}  // namespace hindcast::mpi
