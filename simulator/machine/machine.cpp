#include "simulator/machine/machine.hpp"

#include "simulator/hardware/network/fluid_network.hpp"
#include "simulator/hardware/network/wormhole_torus.hpp"
#include "simulator/machine/topologies/torus_spec.hpp"

namespace hindcast {

Processor read_processor(const KeysOfChoice& keys, const std::string& table) {
  const auto key = [&](const char* name) { return table + "." + name; };
  Processor processor;
  processor.flop_rate = keys.flop_rate(key("flop_rate"));
  processor.memory_bandwidth = keys.bandwidth(key("memory_bandwidth"));
  processor.copy_bandwidth = keys.bandwidth(key("copy_bandwidth"));
  processor.combine_rate = keys.operation_rate(key("combine_rate"));
  processor.clock_read = keys.time_above_zero(key("clock_read"));
  processor.poll = keys.time_above_zero(key("poll"));
  return processor;
}

namespace {

class TorusMachine final : public Machine {
 public:
  TorusMachine(Engine& engine, const MachineFile& file, const TorusSpec& spec, int nodes_used,
               const PartsBesideNetwork& parts)
      : Machine(engine, file, spec.routes.nodes(), parts),
        platform_(spec, nodes_used),
        network_(build_network(engine, file, spec.routes, nodes_used)) {}

  Network& network() override { return *network_; }

 private:
  Channel special_link(const std::string& name) const override { return platform_.special_link(name); }

  std::unique_ptr<Network> build_network(Engine& engine, const MachineFile& file, const TorusRoutes& routes,
                                         int nodes_used) {
    if (file.choice("network.model", {"wormhole", "fluid"}) == "fluid")
      return std::make_unique<FluidNetwork>(engine, platform_, nodes_used);
    return std::make_unique<WormholeTorus>(engine, routes, platform_, nodes_used);
  }

  TorusPlatform platform_;
  std::unique_ptr<Network> network_;
};

}  // namespace

Machine::Machine(Engine& engine, const MachineFile& file, int nodes, const PartsBesideNetwork& parts)
    : engine_(engine),
      file_(file),
      processor_(read_processor(KeysOfChoice(file, true), "processor")),
      nodes_(nodes),
      front_end_(parts.front_end) {
  if (parts.with_front_end) front_end_processor_ = read_processor(KeysOfChoice(file, true), front_end_);
}

const Processor& Machine::processor_of(int node) const {
  return has_front_end() && node == front_end_node() ? *front_end_processor_ : processor_;
}

std::unique_ptr<BroadcastBus> Machine::build_broadcast_bus(const std::string& table) {
  return std::make_unique<BroadcastBus>(engine_, special_link(table), table);
}

std::unique_ptr<BarrierTree> Machine::build_barrier_tree(const std::string& table, int leaves) {
  const auto branching = static_cast<int>(file_.count(table + ".branching", 2));
  return std::make_unique<BarrierTree>(engine_, special_link(table), leaves, branching);
}

std::unique_ptr<FrontEndLine> Machine::build_front_end_line(BroadcastBus& bus) {
  return std::make_unique<FrontEndLine>(engine_, bus, special_link(line_of_front_end(front_end_)), front_end_);
}

std::string Machine::host_name(int node) const {
  return has_front_end() && node == front_end_node() ? host_name_of_front_end(file_.name(), front_end_)
                                                     : hindcast::host_name(file_.name(), node);
}

std::unique_ptr<Machine> Machine::build(Engine& engine, const MachineFile& file, int nodes_used,
                                        const PartsBesideNetwork& parts) {
  file.choice("machine.topology", {"torus"});
  return std::make_unique<TorusMachine>(engine, file, read_torus(file, nodes_used, parts), nodes_used, parts);
}

}  // namespace hindcast
