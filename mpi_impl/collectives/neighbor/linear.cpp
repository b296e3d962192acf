// A neighbourhood's exchange in which every rank posts all its receives, then all its sends. Of several messages from
// one neighbour the first block takes the first; on a grid, where a neighbour is the one before and the one after, what
// it has sent backwards comes from the one after.
// Needs: nothing.
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

Task neighbor_linear(Collective& collective, const Neighbours& neighbours, Blocks out, Blocks in) {
  const int sources = static_cast<int>(neighbours.sources.size());
  for (int i = 0; i < sources; ++i) {
    const int block = neighbours.are_of_grid ? i ^ 1 : i;
    const int from = neighbours.sources[static_cast<std::size_t>(block)];
    if (from != MPI_PROC_NULL) collective.post_receive(in.of(block), from);
  }
  const int destinations = static_cast<int>(neighbours.destinations.size());
  for (int block = 0; block < destinations; ++block) {
    const int to = neighbours.destinations[static_cast<std::size_t>(block)];
    if (to != MPI_PROC_NULL) collective.post_send(out.of(block), to);
  }
  co_await collective.all();
}

constexpr Algorithm neighbor_linear_algorithm{.operation = CollectiveOperation::neighbor_allgather,
                                              .place = 10,
                                              .name = "linear",
                                              .function = neighbor_linear,
                                              .means = means::messages,
                                              .cost = "T(m) + (d-1) (S(m) + R(m))"};
const Row<Algorithm> neighbor_linear_row{neighbor_linear_algorithm},
    neighbor_allgatherv_linear_row{neighbor_linear_algorithm.of(CollectiveOperation::neighbor_allgatherv, 10)},
    neighbor_alltoall_linear_row{neighbor_linear_algorithm.of(CollectiveOperation::neighbor_alltoall, 10)},
    neighbor_alltoallv_linear_row{neighbor_linear_algorithm.of(CollectiveOperation::neighbor_alltoallv, 10)},
    neighbor_alltoallw_linear_row{neighbor_linear_algorithm.of(CollectiveOperation::neighbor_alltoallw, 10)};

}  // namespace

}  // namespace hindcast::mpi
