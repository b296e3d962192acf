// The nodes of a run of random programs and what connects them.
#pragma once

#include <memory>
#include <string>

#include "simulator/machine/file/machine_search.hpp"
#include "simulator/machine/machine.hpp"

namespace hindcast::mpi::random_programs {

enum class NetworkKind { test, fluid };

class Site {
 public:
  Site(Engine& engine, NetworkKind kind, int nodes);
  Network& network() { return *network_; }
  std::string node_name(int node) const;

 private:
  MachineFile file_ = load_machine("ideal");
  std::unique_ptr<Machine> machine_;
  std::unique_ptr<Network> own_;
  Network* network_;
};

}  // namespace hindcast::mpi::random_programs
