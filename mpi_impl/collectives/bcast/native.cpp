// Broadcast by the machine's own.
// Needs: the machine's broadcast. Costs: B(m).
#include "mpi_impl/collectives/framework/algorithms.hpp"

namespace hindcast::mpi {

Task bcast_native(Collective& collective, Block data, int root) {
  if (collective.size() == 1) co_return;
  if (collective.rank() == root)
    co_await collective.broadcast(data);
  else
    co_await collective.receive(data, root);
}

}  // namespace hindcast::mpi
