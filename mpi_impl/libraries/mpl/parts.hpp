// What is read from the file of a machine with MPL: what its calls take, and its partitions, each a System of its own.
// For this library and those that stand on it.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "mpi_impl/libraries/mpl/native/node.hpp"
#include "simulator/engine/kept_texts.hpp"
#include "simulator/machine/machine.hpp"

namespace hindcast::mpl {

// The partitions of each site, by ranges of its nodes. Of a machine with nodes of several kinds those of one kind have
// MPL (`mpl.nodes`).
class Partitions {
 public:
  Partitions(Engine& engine, Machine& machine, const EndRun& end_run);

  bool has(int machine_node) const;
  // Of a node that has MPL: no other partition of the machine has the number.
  int partition_of(int machine_node) const;
  System& of_node(int machine_node);

 private:
  Engine& engine_;
  Machine& machine_;
  const EndRun& end_run_;
  KeptTexts texts_;
  const std::string kind_;  // of the nodes that have MPL
  const Costs costs_;
  const int nodes_of_each_;
  std::map<int, std::unique_ptr<System>> systems_;  // by partition, where ranks are
};

}  // namespace hindcast::mpl
