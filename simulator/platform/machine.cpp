#include "simulator/platform/machine.hpp"

#include "simulator/hardware/fluid_network.hpp"
#include "simulator/hardware/wormhole_torus.hpp"
#include "simulator/platform/torus_platform.hpp"

namespace hindcast {

namespace {

Processor read_processor(const MachineFile& file) {
  Processor processor;
  processor.flop_rate = file.flop_rate("processor.flop_rate");
  processor.memory_bandwidth = file.bandwidth("processor.memory_bandwidth");
  processor.copy_bandwidth = file.bandwidth("processor.copy_bandwidth");
  processor.combine_rate = file.operation_rate("processor.combine_rate");
  processor.clock_read = file.time_above_zero("processor.clock_read");
  processor.poll = file.time_above_zero("processor.poll");
  processor.send_overhead = file.time("processor.send_overhead");
  processor.receive_overhead = file.time("processor.receive_overhead");
  return processor;
}

class TorusMachine final : public Machine {
 public:
  TorusMachine(Engine& engine, const MachineFile& file, const TorusSpec& spec, int nodes_used)
      : Machine(engine, file, spec.routes.nodes()),
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

Machine::Machine(Engine& engine, const MachineFile& file, int nodes)
    : engine_(engine), file_(file), processor_(read_processor(file)), nodes_(nodes) {}

std::unique_ptr<BroadcastBus> Machine::build_broadcast_bus() {
  return std::make_unique<BroadcastBus>(engine_, special_link("bnet"));
}

std::unique_ptr<BarrierTree> Machine::build_barrier_tree(int leaves) {
  const auto branching = static_cast<int>(file_.count("snet.branching", 2));
  return std::make_unique<BarrierTree>(engine_, special_link("snet"), leaves, branching);
}

std::string Machine::host_name(int node) const { return hindcast::host_name(file_.name(), node); }

std::unique_ptr<Machine> Machine::build(Engine& engine, const MachineFile& file, int nodes_used) {
  file.choice("machine.topology", {"torus"});
  return std::make_unique<TorusMachine>(engine, file, read_torus(file, nodes_used), nodes_used);
}

}  // namespace hindcast
