// What is read from the file of a machine with MPL: what its calls take, and its partitions, each a System of its own.
// For this library and those that stand on it.
#pragma once

#include <memory>
#include <vector>

#include "mpi_impl/libraries/mpl/native/node.hpp"
#include "simulator/machine/machine.hpp"

namespace hindcast::mpl {

Costs costs_of(const MachineFile& file, const Processor& processor);

// The partitions of a machine of one network, by ranges of its nodes.
class Partitions {
 public:
  Partitions(Engine& engine, Machine& machine, const EndRun& end_run);

  int partition_of(int machine_node) const { return machine_node / nodes_of_each_; }
  System& of_node(int machine_node);

 private:
  Engine& engine_;
  Machine& machine_;
  const EndRun& end_run_;
  const Costs costs_;
  const int nodes_of_each_;
  std::vector<std::unique_ptr<System>> systems_;  // null: no rank is there
};

}  // namespace hindcast::mpl
