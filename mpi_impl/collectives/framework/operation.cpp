#include "mpi_impl/collectives/framework/operation.hpp"

#include <iterator>

namespace hindcast::mpi {

const char* name_of(CollectiveOperation operation) {
  static constexpr const char* names[] = {
      "barrier",
      "bcast",
      "gather",
      "gatherv",
      "scatter",
      "scatterv",
      "allgather",
      "allgatherv",
      "alltoall",
      "alltoallv",
      "alltoallw",
      "reduce",
      "allreduce",
      "reduce_scatter_block",
      "reduce_scatter",
      "scan",
      "exscan",
      "neighbor_allgather",
      "neighbor_allgatherv",
      "neighbor_alltoall",
      "neighbor_alltoallv",
      "neighbor_alltoallw",
  };
  static_assert(std::size(names) == collective_operations);
  return names[static_cast<int>(operation)];
}

}  // namespace hindcast::mpi
