// Barrier by dissemination: in round k every rank tells the one 2^k further on, and hears from the one 2^k before.
// Needs: nothing. Costs: ceil(log2 n) T(0).
#include "mpi_impl/collectives/algorithms.hpp"

namespace hindcast::mpi {

void barrier_dissemination(Collective& collective) {
  const Block nothing{nullptr, 0, predefined_datatype(MPI_BYTE)};
  for (int distance = 1; distance < collective.size(); distance *= 2)
    collective.exchange(nothing, collective.neighbour(distance), nothing, collective.neighbour(-distance));
}

}  // namespace hindcast::mpi
