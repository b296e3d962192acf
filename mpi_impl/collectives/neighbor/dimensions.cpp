// A neighbourhood's exchange on a grid by one dimension after the other, in each of which all ranks send backwards,
// then forwards: what a program does with MPI_Cart_shift and MPI_Sendrecv. Needs: a Cartesian topology. Costs, with d
// neighbours: d T(m).
#include "mpi_impl/collectives/framework/algorithms.hpp"

namespace hindcast::mpi {

Task neighbor_dimensions(Collective& collective, const Neighbours& neighbours, Blocks out, Blocks in) {
  const int count = static_cast<int>(neighbours.destinations.size());
  for (int block = 0; block < count; ++block) {
    const int opposite = block ^ 1;
    const int to = neighbours.destinations[static_cast<std::size_t>(block)];
    const int from = neighbours.sources[static_cast<std::size_t>(opposite)];
    co_await collective.exchange(out.of(block), to, in.of(opposite), from);
  }
}

}  // namespace hindcast::mpi
