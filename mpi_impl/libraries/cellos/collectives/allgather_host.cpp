// Allgather by a gather at the machine's host and its broadcast.
// Needs: the machine's host and its broadcast. Costs: G((n-1) m) + K(m) + B(n m).
#include "mpi_impl/collectives/framework/algorithms.hpp"
#include "mpi_impl/collectives/framework/pieces.hpp"

namespace hindcast::mpi {

Task allgather_host(Collective& collective, Block mine, Blocks all) {
  const int host = collective.host();
  co_await gather_host(collective, mine, all, host);
  Assembled blocks(collective, all);
  if (collective.rank() == host) blocks.fill();
  co_await bcast_native(collective, blocks.range(0, collective.size()), host);
  if (collective.rank() != host) blocks.put_back();
}

}  // namespace hindcast::mpi
