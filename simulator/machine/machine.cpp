#include "simulator/machine/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "simulator/engine/flows.hpp"
#include "simulator/hardware/network/fluid_network.hpp"
#include "simulator/hardware/network/wide_area.hpp"
#include "simulator/machine/machine_platform.hpp"

namespace hindcast {

namespace {

// The first so many nodes of each site, that all of these are among them.
std::vector<int> used_of_sites(const PlannedSites& planned, const std::vector<int>& nodes) {
  std::vector<int> used(planned.sites.size());
  for (const int node : nodes) {
    const auto site = static_cast<std::size_t>(planned.site_of(node));
    used[site] = std::max(used[site], node - planned.sites[site].first_node + 1);
  }
  return used;
}

}  // namespace

Machine::Machine(Engine& engine, const MachineFile& file, const std::vector<int>& nodes,
                 const PartsBesideNetwork& parts)
    : engine_(engine), file_(file), kinds_(read_node_kinds(file)), front_end_(parts.front_end) {
  if (parts.with_front_end) front_end_processor_ = read_processor(KeysOfChoice(file, true), front_end_);
  PlannedSites planned(file, nodes.empty() ? 0 : *std::max_element(nodes.begin(), nodes.end()) + 1);
  std::vector<int> used = used_of_sites(planned, nodes);
  platform_ = std::make_unique<MachinePlatform>(file, std::move(planned), std::move(used), kinds_, parts);
  for (int site = 0; site < site_count(); ++site) networks_.push_back(build_network(site));
  if (site_count() > 1) wide_area_ = build_wide_area(nodes);
}

Machine::~Machine() = default;

Flows& Machine::flows() {
  if (flows_ == nullptr) flows_ = std::make_unique<Flows>(engine_);
  return *flows_;
}

std::unique_ptr<Network> Machine::build_network(int number) {
  const NetworkPlan& plan = *platform_->planned().plans[static_cast<std::size_t>(number)];
  if (plan.is_one_node()) return nullptr;
  const JoinedNodes nodes = platform_->nodes_used(number);
  if (file_.choice(network_prefix(number) + ".model", {"wormhole", "fluid"}) == "wormhole")
    return plan.build_wormhole(engine_, platform_->network(number), nodes);
  return std::make_unique<FluidNetwork>(
      engine_, flows(), [this](int node) { return node_name(node); },
      [this](int from, int to) { return platform_->latency(from, to); }, nodes, plan.keys());
}

std::unique_ptr<Network> Machine::build_wide_area(const std::vector<int>& nodes) {
  return std::make_unique<WideArea>(
      engine_, flows(), [this](int node) { return node_name(node); }, [this](int node) { return site_of(node); },
      [this](int from, int to) { return platform_->ways().wide_way(from, to); },
      JoinedNodes{0, *std::max_element(nodes.begin(), nodes.end()) + 1});
}

int Machine::nodes() const { return platform_->planned().nodes(); }
int Machine::site_count() const { return static_cast<int>(platform_->planned().sites.size()); }
const Site& Machine::site(int number) const { return platform_->planned().sites[static_cast<std::size_t>(number)]; }
int Machine::site_of(int node) const { return platform_->planned().site_of(node); }
const NodeKind& Machine::kind_of(int node) const {
  return kinds_[static_cast<std::size_t>(site(site_of(node)).kind_of(node))];
}
std::string Machine::node_name(int node) const { return platform_->node_name(node); }

const Processor& Machine::processor() const {
  if (kinds_.size() > 1)
    throw MachineFileError(
        fmt::format("{} has nodes of {} kinds, which messages.library knows nothing of", file_.name(), kinds_.size()));
  return kinds_.front().processor;
}

Network& Machine::network() {
  if (site_count() > 1)
    throw MachineFileError(
        fmt::format("{} has {} sites, which messages.library knows nothing of", file_.name(), site_count()));
  if (networks_.front() == nullptr)
    throw MachineFileError(fmt::format("{} is one node without a network, which messages.library wants", file_.name()));
  return *networks_.front();
}

const Processor& Machine::processor_of(int node) const {
  return has_front_end() && node == front_end_node() ? *front_end_processor_ : kind_of(node).processor;
}

std::unique_ptr<BroadcastBus> Machine::build_broadcast_bus(const std::string& table) {
  return std::make_unique<BroadcastBus>(engine_, platform_->special_link(table), table);
}

std::unique_ptr<BarrierTree> Machine::build_barrier_tree(const std::string& table, int leaves) {
  const int branching = file_.small_count(table + ".branching", 2);
  return std::make_unique<BarrierTree>(engine_, platform_->special_link(table), leaves, branching);
}

std::unique_ptr<FrontEndLine> Machine::build_front_end_line(BroadcastBus& bus) {
  const Channel line = platform_->special_link(line_of_front_end(front_end_));
  return std::make_unique<FrontEndLine>(engine_, bus, line, front_end_);
}

std::unique_ptr<Machine> Machine::build(Engine& engine, const MachineFile& file, int nodes_used,
                                        const PartsBesideNetwork& parts) {
  std::vector<int> nodes(static_cast<std::size_t>(nodes_used));
  std::iota(nodes.begin(), nodes.end(), 0);
  return build(engine, file, nodes, parts);
}

std::unique_ptr<Machine> Machine::build(Engine& engine, const MachineFile& file, const std::vector<int>& nodes,
                                        const PartsBesideNetwork& parts) {
  return std::unique_ptr<Machine>(new Machine(engine, file, nodes, parts));
}

}  // namespace hindcast
