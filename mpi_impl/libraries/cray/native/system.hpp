// What all PEs share: remote memory, the barrier network, and the numbers of the machine's file.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mpi_impl/libraries/common/barrier.hpp"
#include "mpi_impl/libraries/cray/native/costs.hpp"
#include "mpi_impl/libraries/cray/native/symmetric_memory.hpp"
#include "simulator/engine/end_run.hpp"
#include "simulator/engine/engine.hpp"
#include "simulator/hardware/node/remote_memory.hpp"

namespace hindcast::shmem {

class Pe;

class System {
 public:
  // The tree has a leaf for each rank of the run.
  System(Engine& engine, Network& network, BarrierTree& tree, const RemoteMemory::Numbers& numbers, Costs costs,
         EndRun end_run);

  Engine& engine() { return engine_; }
  const Costs& costs() const { return costs_; }
  // As far as the PEs' memories let it.
  Network& network() { return memories_.network(); }
  MemoryPort* memory_port(int node) { return memories_.port(node); }
  RemoteMemory& remote_memory() { return remote_memory_; }
  Barrier& barrier() { return barrier_; }
  SymmetricMemory& symmetric_memory() { return symmetric_memory_; }
  [[noreturn]] void end_run(int status, const std::string& line) const { end_run_(status, line); }

  // In the order of ranks; also those that are born in mid-run. What a PE is to others stays when its rank has gone:
  // answers to it may still be under way.
  void add(Pe& pe) { pes_.push_back(&pe); }
  Pe& pe(int number) { return *pes_[static_cast<std::size_t>(number)]; }
  int known_pes() const { return static_cast<int>(pes_.size()); }
  // Those of the run's beginning, which have the barrier network and symmetric memory together.
  int pes() const { return barrier_.leaves(); }

 private:
  Engine& engine_;
  const Costs costs_;
  const EndRun end_run_;
  PeMemories memories_;
  RemoteMemory remote_memory_;
  Barrier barrier_;
  SymmetricMemory symmetric_memory_;
  std::vector<Pe*> pes_;
};

}  // namespace hindcast::shmem
