// A machine, built from its file: the SimGrid platform and the parts that hindcast's libraries work with.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "simulator/engine/engine.hpp"
#include "simulator/hardware/collective/barrier_tree.hpp"
#include "simulator/hardware/collective/broadcast_bus.hpp"
#include "simulator/hardware/network/front_end_line.hpp"
#include "simulator/hardware/network/network.hpp"
#include "simulator/hardware/node/processor.hpp"
#include "simulator/machine/file/keys_of_choice.hpp"
#include "simulator/machine/parts.hpp"

namespace hindcast {

class Machine {
 public:
  // Nodes 0 to nodes_used - 1 get hosts; links come into being with the routes that use them. The engine and the file
  // must outlive the machine. Throws MachineFileError if the file is wrong or the machine smaller than that, or if it
  // has no front end that is wanted.
  static std::unique_ptr<Machine> build(Engine& engine, const MachineFile& file, int nodes_used,
                                        const PartsBesideNetwork& parts = {});

  virtual ~Machine() = default;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  const MachineFile& parameters() const { return file_; }
  const Processor& processor() const { return processor_; }  // a node's
  const Processor& processor_of(int node) const;             // or the front end's
  virtual Network& network() = 0;
  // Of the tables that it was built with.
  std::unique_ptr<BroadcastBus> build_broadcast_bus(const std::string& table);
  std::unique_ptr<BarrierTree> build_barrier_tree(const std::string& table, int leaves);
  int nodes() const { return nodes_; }    // of the machine, used or not
  std::string host_name(int node) const;  // SimGrid's

  // The computer beside the nodes, of machines that were built with one. It has a number as if it were one more node.
  bool has_front_end() const { return front_end_processor_.has_value(); }
  int front_end_node() const { return nodes_; }
  std::unique_ptr<FrontEndLine> build_front_end_line(BroadcastBus& bus);

 protected:
  Machine(Engine& engine, const MachineFile& file, int nodes, const PartsBesideNetwork& parts);
  virtual Channel special_link(const std::string& name) const = 0;

 private:
  Engine& engine_;
  const MachineFile& file_;
  Processor processor_;
  int nodes_;
  std::string front_end_;  // its table
  std::optional<Processor> front_end_processor_;
};

// What a processor takes, of a table of the file's.
Processor read_processor(const KeysOfChoice& keys, const std::string& table);

// How many nodes a machine has at most, and how many it is shown and exported with unless told otherwise.
struct NodeRange {
  int most = 0;
  int usual = 0;
};
NodeRange node_range(const MachineFile& file);

}  // namespace hindcast
