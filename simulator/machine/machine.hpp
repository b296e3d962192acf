// A machine, built from its file: the SimGrid platform and the parts that hindcast's libraries work with.
//
// A machine is one or several sites. Its nodes are numbered through, site by site, and all networks take transfers by
// these numbers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulator/engine/engine.hpp"
#include "simulator/hardware/collective/barrier_tree.hpp"
#include "simulator/hardware/collective/broadcast_bus.hpp"
#include "simulator/hardware/network/front_end_line.hpp"
#include "simulator/hardware/network/network.hpp"
#include "simulator/machine/node_kind.hpp"
#include "simulator/machine/node_range.hpp"
#include "simulator/machine/parts.hpp"
#include "simulator/machine/site.hpp"

namespace hindcast {

class Flows;
class MachinePlatform;

class Machine {
 public:
  // Nodes 0 to nodes_used - 1 get hosts, or of each site its first ones up to the last of these nodes; links come into
  // being with the routes that use them. The engine and the file must outlive the machine. Throws MachineFileError if
  // the file is wrong or the machine smaller than that, or if it has no front end that is wanted.
  static std::unique_ptr<Machine> build(Engine& engine, const MachineFile& file, int nodes_used,
                                        const PartsBesideNetwork& parts = {});
  static std::unique_ptr<Machine> build(Engine& engine, const MachineFile& file, const std::vector<int>& nodes,
                                        const PartsBesideNetwork& parts = {});

  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  const MachineFile& parameters() const { return file_; }
  int nodes() const;                      // used or not
  std::string node_name(int node) const;  // SimGrid's

  int site_count() const;
  const Site& site(int number) const;
  int site_of(int node) const;
  const NodeKind& kind_of(int node) const;

  // Between the nodes of a site; null if it is one node.
  Network* network_of_site(int site) { return networks_[static_cast<std::size_t>(site)].get(); }
  const std::string& network_prefix(int site) const { return this->site(site).network_prefix; }
  // Between nodes of different sites; null if there is one site.
  Network* wide_area() { return wide_area_.get(); }

  // Of a machine of one kind of node or one network; throws MachineFileError if it is another.
  const Processor& processor() const;
  Network& network();

  const Processor& processor_of(int node) const;  // or the front end's
  // Of the tables that it was built with.
  std::unique_ptr<BroadcastBus> build_broadcast_bus(const std::string& table);
  std::unique_ptr<BarrierTree> build_barrier_tree(const std::string& table, int leaves);

  // The computer beside the nodes, of machines that were built with one. It has a number as if it were one more node.
  bool has_front_end() const { return front_end_processor_.has_value(); }
  int front_end_node() const { return nodes(); }
  std::unique_ptr<FrontEndLine> build_front_end_line(BroadcastBus& bus);

 private:
  Machine(Engine& engine, const MachineFile& file, const std::vector<int>& nodes, const PartsBesideNetwork& parts);
  std::unique_ptr<Network> build_network(int site);
  std::unique_ptr<Network> build_wide_area(const std::vector<int>& nodes);
  Flows& flows();

  Engine& engine_;
  const MachineFile& file_;
  const std::vector<NodeKind> kinds_;
  std::string front_end_;  // its table
  std::optional<Processor> front_end_processor_;
  std::unique_ptr<MachinePlatform> platform_;
  std::vector<std::unique_ptr<Network>> networks_;  // by site
  std::unique_ptr<Network> wide_area_;
  std::unique_ptr<Flows> flows_;  // where a network works with them
};

}  // namespace hindcast
