// Splitting a communicator by colours, and its first ranks from the others.
#pragma once

#include "mpi_impl/core/communicators/communicator.hpp"

namespace hindcast::mpi {

class World;

// Called by all members, of both groups if there are two. The ranks of a colour, ordered by key; null for
// MPI_UNDEFINED, and where the other group has no rank of the colour.
Comm* split(Process& process, Comm& comm, int color, int key);

// So many.
GroupPointer first_members(World& world, const Comm& comm, int count);

}  // namespace hindcast::mpi
