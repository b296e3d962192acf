// The AP1000's host in a run that has it as a rank: its line to the cells and what its processor takes.
#pragma once

#include <memory>
#include <optional>

#include "mpi_impl/libraries/cellos/native/group/host.hpp"
#include "simulator/machine/machine.hpp"

namespace hindcast {

class CellosHost {
 public:
  // `ranks` with the host; the costs are a cell's. Does nothing but look at the file's parameters in a run without it.
  CellosHost(Machine& machine, BroadcastBus& bus, int ranks, const cellos::Costs& of_cells);

  // For cellos::Nets.
  std::optional<cellos::HostParts> parts() const { return parts_; }
  // Of the host, in a run that has it.
  const Processor& processor() const { return processor_; }

 private:
  Processor processor_;
  std::unique_ptr<FrontEndLine> line_;
  std::unique_ptr<BarrierTree> barrier_;
  std::unique_ptr<BarrierTree> statuses_;
  std::unique_ptr<BarrierTree> distribution_;
  std::optional<cellos::HostParts> parts_;
};

}  // namespace hindcast
