// The host: a computer of its own, joined to the cells by a line that ends at the broadcast net. CellOS has it as one
// more partner for messages, in whose calls its own processor's times count, in hsync, and in the routines that scatter
// its data over all cells and gather theirs.
#pragma once

#include "mpi_impl/libraries/cellos/native/costs.hpp"
#include "mpi_impl/libraries/cellos/native/group/distribution.hpp"
#include "mpi_impl/libraries/cellos/native/group/reductions.hpp"
#include "simulator/hardware/network/front_end_line.hpp"

namespace hindcast::cellos {

// What a run with the host has more than others. The trees' leaves are the host and all cells, in the order of ranks.
struct HostParts {
  int node;  // that it is to the networks
  FrontEndLine& line;
  BarrierTree& barrier;
  BarrierTree& statuses;
  BarrierTree& distribution;
  Costs costs;  // of what the host's processor does
};

class Host {
 public:
  Host(Engine& engine, System& system, BroadcastBus& bus, const HostParts& parts)
      : parts_(parts),
        barrier_(engine, parts.barrier, {"until the host and all cells have called it", 0}),
        statuses_(system, parts.statuses, {"until the host and all cells have called it", 0}),
        distribution_(system, bus, parts.distribution, parts.line.line()) {}

  const Costs& costs() const { return parts_.costs; }
  FrontEndLine& line() { return parts_.line; }
  Barrier& barrier() { return barrier_; }
  Reductions& statuses() { return statuses_; }  // of hsync with a number of everybody's
  Distribution& distribution() { return distribution_; }
  bool takes_part_in(const Transfer& transfer) const {
    return transfer.from == parts_.node || transfer.to == parts_.node;
  }

 private:
  const HostParts parts_;
  Barrier barrier_;
  Reductions statuses_;
  Distribution distribution_;
};

}  // namespace hindcast::cellos
