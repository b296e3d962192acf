// Splitting a communicator by colours.
#pragma once

#include "mpi_impl/core/communicator.hpp"

namespace hindcast::mpi {

// Called by all members, of both groups if there are two. The ranks of a colour, ordered by key; null for
// MPI_UNDEFINED, and where the other group has no rank of the colour.
Comm* split(Process& process, Comm& comm, int color, int key);

}  // namespace hindcast::mpi
