// How messages go, and what they take: inside a node by its processors through its memory, between nodes by the units
// at the crossbar, which reach global memory only. The tables [mpi] and [rcu] of the machine's file.
#pragma once

#include <map>

#include "mpi_impl/libraries/common/memories_of_nodes.hpp"
#include "mpi_impl/libraries/earth_simulator/mpi/memory_kinds.hpp"
#include "mpi_impl/transport/matching_endpoint.hpp"
#include "mpi_impl/transport/methods.hpp"

namespace hindcast {

class EsMessageWays {
 public:
  EsMessageWays(Engine& engine, Machine& machine, const mpi::ReachableMemory& global);

  const mpi::Methods& methods() const { return methods_; }
  // Between nodes.
  Network& network() { return *memories_.network_of_site(0); }
  // For a rank on this node.
  const mpi::EndpointCosts& add_rank(int node);

 private:
  mpi::MethodCosts costs_of(const char* send, const char* receive, const char* service) const;

  Machine& machine_;
  KeptTexts texts_;
  MemoriesOfNodes memories_;
  const RatedStep transfer_;  // by a unit
  const FixedStep signal_;    // from unit to unit
  mpi::LibraryBuffers inside_;
  mpi::LibraryBuffers between_;
  mpi::Methods methods_;
  std::map<int, mpi::EndpointCosts> costs_;  // by node
};

}  // namespace hindcast
