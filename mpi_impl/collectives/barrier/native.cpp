// Barrier by the machine's own.
// Needs: the machine's barrier. Costs: D.
#include "mpi_impl/collectives/framework/algorithms.hpp"

namespace hindcast::mpi {

Task barrier_native(Collective& collective) { co_await collective.meet(); }

}  // namespace hindcast::mpi
