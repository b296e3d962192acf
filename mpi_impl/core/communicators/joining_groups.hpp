// How two groups that have nothing but a way between their leaders come by a communicator of both.
#pragma once

#include "mpi_impl/core/communicators/communicator.hpp"

namespace hindcast::mpi {

// From one leader to the other: a rank of a communicator, under a context and a tag of it.
struct WayToLeader {
  Comm& comm;
  std::uint32_t context;
  int other;
  int tag;
};

// By all of `comm`, and by all of the other group: its new intercommunicator. The leader, a rank of `comm`, has a
// channel. Throws if the groups have members in common, or something stands in the way.
Comm& join_groups(Process& process, Comm& comm, int leader, const WayToLeader* way);

}  // namespace hindcast::mpi
