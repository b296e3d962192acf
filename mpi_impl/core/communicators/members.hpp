// A communicator of one group, as the operations of an endpoint for whole groups are told of it.
#pragma once

#include "mpi_impl/core/communicators/communicator.hpp"
#include "mpi_impl/transport/group_operations.hpp"

namespace hindcast::mpi {

inline Members members_of(const Comm& comm) {
  const int first = comm.group->rank_of(0);
  return {comm.collective_context(), comm.rank, comm.size, first == MPI_UNDEFINED ? Members::none : first,
          comm.group->highest()};
}

}  // namespace hindcast::mpi
