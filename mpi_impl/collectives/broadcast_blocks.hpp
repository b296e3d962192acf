// The blocks for all ranks in one broadcast of the machine's, of which each rank takes its own.
//
// Blocks of one length are where their number says. Where lengths differ the places are broadcast before: of each block
// where it begins, and its length.
#pragma once

#include "mpi_impl/collectives/collective.hpp"

namespace hindcast::mpi {

// `blocks` are the sender's.
Task broadcast_blocks(Collective& collective, Blocks blocks);
// By another rank; `have_one_length` is what the sender knows of its blocks.
Task receive_own_block(Collective& collective, Block mine, int from, bool have_one_length);

}  // namespace hindcast::mpi
