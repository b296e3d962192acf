// Collectives over an intercommunicator: what one group has goes to the other. `root` is MPI_ROOT at the root,
// MPI_PROC_NULL beside it, and the root's rank in the other group.
#pragma once

#include "mpi_impl/collectives/framework/collective.hpp"

namespace hindcast::mpi {

// Whatever these take of algorithms within a group has this.
constexpr Parameters parameters_across{0, 2};

Task barrier_across(Collective& across);
Task bcast_across(Collective& across, Block data, int root);
Task gather_across(Collective& across, Block mine, Blocks all, int root);
Task scatter_across(Collective& across, Blocks all, Block mine, int root);
Task allgather_across(Collective& across, Block mine, Blocks all);
Task alltoall_across(Collective& across, Blocks out, Blocks in);
Task reduce_across(Collective& across, Block mine, Block result, int root);
Task allreduce_across(Collective& across, Block mine, Block result);
// `mine` is the whole operand; `parts` are those of the result for each rank of the group, without memory.
Task reduce_scatter_across(Collective& across, Block mine, Blocks parts, Block result);

}  // namespace hindcast::mpi
