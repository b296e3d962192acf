// What MPICH takes, as the machine's file says: the same work everywhere, and copies by each kind of node.
#pragma once

#include <map>
#include <string>

#include "mpi_impl/libraries/mpich/mpi/endpoint.hpp"
#include "mpi_impl/libraries/mpich/mpi/mpl_channel.hpp"
#include "mpi_impl/libraries/mpich/mpi/nexus_channel.hpp"
#include "simulator/engine/kept_texts.hpp"
#include "simulator/machine/machine.hpp"

namespace hindcast {

struct MpichOfNode {
  mpi::MpichSettings device;
  mpi::NexusChannelCosts on_nexus;
};

class MpichOfMachine {
 public:
  explicit MpichOfMachine(Machine& machine);

  bool is_on_nexus() const { return is_on_nexus_; }
  Bytes header() const { return header_; }
  // `memory` is what the node's processors wait for, if they do.
  const MpichOfNode& at(int node, MemoryPort* memory);

 private:
  MpichOfNode settings_of(const NodeKind& kind);

  Machine& machine_;
  KeptTexts texts_;
  const bool is_on_nexus_;
  const Bytes header_;
  std::map<std::string, MpichOfNode> by_kind_;
  std::map<int, MpichOfNode> by_node_;  // where processors share the memory
};

}  // namespace hindcast
