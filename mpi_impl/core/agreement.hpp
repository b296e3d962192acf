// How the ranks of a communicator come to know what is decided for all of them, by messages like everybody's: what
// making a communicator needs.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "mpi_impl/core/communicator.hpp"

namespace hindcast::mpi {

// From rank 0 to all.
void broadcast_from_first(Process& process, Comm& comm, std::span<std::byte> data);
// As many bytes from every rank, in the order of ranks; empty except on rank 0.
std::vector<std::byte> gather_at_first(Process& process, Comm& comm, std::span<const std::byte> mine);
// The reverse: `all` matters on rank 0 only.
void scatter_from_first(Process& process, Comm& comm, std::span<const std::byte> all, std::span<std::byte> mine);

}  // namespace hindcast::mpi
