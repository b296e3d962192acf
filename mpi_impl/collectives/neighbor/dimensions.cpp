// A neighbourhood's exchange on a grid by one dimension after the other, in each of which all ranks send backwards,
// then forwards: what a program does with MPI_Cart_shift and MPI_Sendrecv.
// Needs: a Cartesian topology.
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

Task neighbor_dimensions(Collective& collective, const Neighbours& neighbours, Blocks out, Blocks in) {
  const int count = static_cast<int>(neighbours.destinations.size());
  for (int block = 0; block < count; ++block) {
    const int opposite = block ^ 1;
    const int to = neighbours.destinations[static_cast<std::size_t>(block)];
    const int from = neighbours.sources[static_cast<std::size_t>(opposite)];
    co_await collective.exchange(out.of(block), to, in.of(opposite), from);
  }
}

constexpr Algorithm neighbor_dimensions_algorithm{.operation = CollectiveOperation::neighbor_allgather,
                                                  .place = 20,
                                                  .name = "dimensions",
                                                  .function = neighbor_dimensions,
                                                  .means = means::messages,
                                                  .needs = need::grid,
                                                  .cost = "d T(m)"};
const Row<Algorithm> neighbor_dimensions_row{neighbor_dimensions_algorithm},
    neighbor_allgatherv_dimensions_row{neighbor_dimensions_algorithm.of(CollectiveOperation::neighbor_allgatherv, 20)},
    neighbor_alltoall_dimensions_row{neighbor_dimensions_algorithm.of(CollectiveOperation::neighbor_alltoall, 20)},
    neighbor_alltoallv_dimensions_row{neighbor_dimensions_algorithm.of(CollectiveOperation::neighbor_alltoallv, 20)},
    neighbor_alltoallw_dimensions_row{neighbor_dimensions_algorithm.of(CollectiveOperation::neighbor_alltoallw, 20)};

}  // namespace

}  // namespace hindcast::mpi
