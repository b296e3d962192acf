// Which blocks a rank sends and receives in a collective, as far as the others do not all have to say the same: a run
// that looks for mistakes compares what the two ends of each are said to be. Where all have to say the same, what a
// rank sends itself is enough.
#pragma once

#include <vector>

#include "mpi_impl/collectives/framework/calls.hpp"
#include "mpi_impl/core/communicators/collective_blocks.hpp"

namespace hindcast::mpi {

using BlockEnds = std::vector<BlockEnd>;

BlockEnds block_ends(const BarrierCall& call, const Comm& comm);
BlockEnds block_ends(const BcastCall& call, const Comm& comm);
BlockEnds block_ends(const GatherCall& call, const Comm& comm);
BlockEnds block_ends(const ScatterCall& call, const Comm& comm);
BlockEnds block_ends(const AllgatherCall& call, const Comm& comm);
BlockEnds block_ends(const AlltoallCall& call, const Comm& comm);
BlockEnds block_ends(const ReduceCall& call, const Comm& comm);
BlockEnds block_ends(const AllreduceCall& call, const Comm& comm);
BlockEnds block_ends(const ReduceScatterCall& call, const Comm& comm);
BlockEnds block_ends(const NeighbourCall& call, const Comm& comm);

}  // namespace hindcast::mpi
