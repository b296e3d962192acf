// Collectives over an intercommunicator: what one group has goes to the other. `root` is MPI_ROOT at the root,
// MPI_PROC_NULL beside it, and the root's rank in the other group.
#pragma once

#include "mpi_impl/collectives/collective.hpp"

namespace hindcast::mpi {

void bcast_across(Process& process, Comm& comm, const Block& data, int root);
void gather_across(Process& process, Comm& comm, const Block& mine, const Blocks& all, int root);
void scatter_across(Process& process, Comm& comm, const Blocks& all, const Block& mine, int root);
void allgather_across(Process& process, Comm& comm, const Block& mine, const Blocks& all);
void alltoall_across(Process& process, Comm& comm, const Blocks& out, const Blocks& in);
// `op` is null beside the root.
void reduce_across(Process& process, Comm& comm, const Block& mine, const Block& result, const Op* op, int root);
void allreduce_across(Process& process, Comm& comm, const Block& mine, const Block& result, const Op& op);

}  // namespace hindcast::mpi
