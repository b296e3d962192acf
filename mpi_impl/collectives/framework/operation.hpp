// MPI's collective operations.
#pragma once

#include <cstdint>

namespace hindcast::mpi {

enum class CollectiveOperation : std::uint8_t {
  barrier,
  bcast,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  alltoallw,
  reduce,
  allreduce,
  reduce_scatter_block,
  reduce_scatter,
  scan,
  exscan,
  neighbor_allgather,
  neighbor_allgatherv,
  neighbor_alltoall,
  neighbor_alltoallv,
  neighbor_alltoallw,
};
constexpr int collective_operations = static_cast<int>(CollectiveOperation::neighbor_alltoallw) + 1;
const char* name_of(CollectiveOperation operation);

}  // namespace hindcast::mpi
