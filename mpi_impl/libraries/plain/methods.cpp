#include "mpi_impl/libraries/plain/methods.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "mpi_impl/libraries/common/steps_of_file.hpp"
#include "simulator/machine/file/keys_of_choice.hpp"

namespace hindcast {

namespace {

const std::vector<std::string> carriers{"memory", "network", "wide area"};
const std::vector<std::string> distances{"node", "site", "sites"};

}  // namespace

PlainMethods::PlainMethods(Engine& engine, Machine& machine, Progress progress)
    : engine_(engine), machine_(machine), memories_(engine) {
  const std::vector<NamedTable> tables = machine.parameters().tables("method");
  for (int site = 0; site < machine.site_count(); ++site) read_network(site);
  if (tables.empty()) read_only_method(progress);
  for (const NamedTable& table : tables) read(table, progress);
}

void PlainMethods::read_only_method(Progress progress) {
  const MachineFile& file = machine_.parameters();
  mpi::MethodCosts costs;
  costs.send = step_of(file, "send overhead", "processor.send_overhead");
  costs.receive = step_of(file, "receive overhead", "processor.receive_overhead");
  costs.eager_limit = file.bytes("messages.eager_limit");
  costs.header = file.bytes("messages.header_bytes");
  costs.service = step_above_zero_of(KeysOfChoice(file, progress != Progress::hardware), "work on an arrival",
                                     "messages.service_cost");
  const mpi::Method& method = methods_.add({"", costs, &machine_.network()});
  for (const mpi::Distance distance : {mpi::Distance::node, mpi::Distance::site})
    methods_.use(method, distance, 0, mpi::Methods::any_length);
}

void PlainMethods::read(const NamedTable& table, Progress progress) {
  const MachineFile& file = machine_.parameters();
  const std::string prefix = table.prefix();
  const std::string carried_by = file.choice(prefix + ".carried_by", carriers);
  std::vector<std::string> between = file.texts(prefix + ".between");
  for (const std::string& distance : between)
    if (std::find(distances.begin(), distances.end(), distance) == distances.end())
      file.refuse(prefix + ".between", fmt::format("'{}' is not one of {}", distance, fmt::join(distances, ", ")));
  const bool is_limited = file.has(prefix + ".longest");
  const Bytes longest = is_limited ? file.bytes(prefix + ".longest") : mpi::Methods::any_length;
  mpi::MethodCosts costs = read_costs(table, progress);
  if (carried_by == "memory") {
    if (has_memory_method_) file.refuse(table, "a second method that is carried by memory");
    if (between != std::vector<std::string>{"node"})
      file.refuse(prefix + ".between", "memory carries messages between ranks of a node, and no others");
    read_memory(prefix);
    costs.leaves_payload_to_processors = true;
  }
  use(costs, table.name, carried_by, between, longest);
}

void PlainMethods::read_memory(const std::string& prefix) {
  has_memory_method_ = true;
  const char* key = texts_.keep(prefix + ".latency");
  seen_ = step_of(machine_.parameters(), "until the other processor sees it", key);
}

mpi::MethodCosts PlainMethods::read_costs(const NamedTable& table, Progress progress) {
  const MachineFile& file = machine_.parameters();
  const std::string prefix = table.prefix();
  const auto key = [&](const char* name) { return texts_.keep(prefix + "." + name); };
  const auto name = [&](const char* text) { return texts_.keep(fmt::format("{}, {}", text, table.name)); };
  mpi::MethodCosts costs;
  costs.send = step_of(file, name("send overhead"), key("send_overhead"));
  costs.receive = step_of(file, name("receive overhead"), key("receive_overhead"));
  costs.eager_limit = file.bytes(prefix + ".eager_limit");
  costs.header = file.bytes(prefix + ".header_bytes");
  if (costs.header == Bytes()) file.refuse(prefix + ".header_bytes", "must be more than 0");
  costs.service = step_above_zero_of(KeysOfChoice(file, progress != Progress::hardware), name("work on an arrival"),
                                     key("service_cost"));
  return costs;
}

// Whether the units of a site's network pass the ports to the nodes' memories.
void PlainMethods::read_network(int site) {
  const MachineFile& file = machine_.parameters();
  const std::string prefix = machine_.network_prefix(site);
  const char* key = texts_.keep(prefix + ".memory_access");
  Network* const network = machine_.network_of_site(site);
  std::unique_ptr<NetworkThroughMemory>& through = through_memory_.emplace_back();
  if (!file.has(key) || file.choice(key, {"apart", "port"}) == "apart" || network == nullptr) return;
  if (file.choice(prefix + ".model", {"wormhole", "fluid"}) != "wormhole")
    file.refuse(key, "'port' needs the model 'wormhole', which foresees when a message has left its sender");
  through = std::make_unique<NetworkThroughMemory>(engine_, *network, file.bandwidth(prefix + ".injection_bandwidth"),
                                                   StepKind{"wait for the node's memory", key});
}

Network* PlainMethods::network_of_site(int site) {
  const auto& through = through_memory_[static_cast<std::size_t>(site)];
  return through != nullptr ? through.get() : machine_.network_of_site(site);
}

Network* PlainMethods::network_at(const std::string& carried_by, int site) {
  if (carried_by == "memory") return &memories_;
  return carried_by == "network" ? network_of_site(site) : machine_.wide_area();
}

// Each site has a network of its own, so it has a method of its own.
void PlainMethods::use(const mpi::MethodCosts& costs, const std::string& name, const std::string& carried_by,
                       const std::vector<std::string>& between, Bytes longest) {
  for (int site = 0; site < machine_.site_count(); ++site) {
    Network* const network = network_at(carried_by, site);
    if (network == nullptr) continue;
    const mpi::Method& method = methods_.add({name, costs, network});
    for (std::size_t i = 0; i < distances.size(); ++i)
      if (std::find(between.begin(), between.end(), distances[i]) != between.end())
        methods_.use(method, static_cast<mpi::Distance>(i), site, longest);
  }
}

// --- what the ranks' processors take ---

mpi::EndpointCosts PlainMethods::read_endpoint_costs(const NodeKind& kind) {
  const auto key = [&](const char* name) { return texts_.keep(kind.prefix + "." + name); };
  mpi::EndpointCosts costs = mpi::EndpointCosts::of(kind.processor);
  costs.local.copy.kind.parameter = costs.copy_in.parameter = costs.copy_out.parameter = key("copy_bandwidth");
  costs.local.combine.kind.parameter = key("combine_rate");
  costs.local.clock_read.kind.parameter = key("clock_read");
  costs.poll.kind.parameter = key("poll");
  return costs;
}

// Nodes of one processor, or whose memory carries no messages, have no port that anybody waits for.
MemoryPort* PlainMethods::memory_of(int node) {
  const NodeKind& kind = machine_.kind_of(node);
  NetworkThroughMemory* const network = through_memory_[static_cast<std::size_t>(machine_.site_of(node))].get();
  const bool is_shared = kind.processors > 1;
  if (!has_memory_method_ && (network == nullptr || !is_shared)) return nullptr;
  const Bandwidth port = is_shared ? kind.memory_port_bandwidth : kind.processor.copy_bandwidth;
  const char* port_key = texts_.keep(kind.prefix + (is_shared ? ".memory_port_bandwidth" : ".copy_bandwidth"));
  memories_.add(
      node, {port, kind.memory_sharing, kind.processor.copy_bandwidth, seen_, {"bytes through the memory", port_key}});
  if (!is_shared) return nullptr;
  if (network != nullptr) network->add(node, memories_.port(node));
  return &memories_.port(node);
}

const mpi::EndpointCosts& PlainMethods::add_rank(int node) {
  const mpi::Place place = place_of(node);
  const auto [known, is_new] = costs_.try_emplace(node);
  if (!is_new) return known->second;
  known->second = read_endpoint_costs(machine_.kind_of(node));
  known->second.local.memory = memory_of(node);
  require_way(place, place);
  for (const auto& [site, places] : witnesses_)
    for (const mpi::Place& other : places) {
      require_way(place, other);
      require_way(other, place);
    }
  std::vector<mpi::Place>& of_site = witnesses_[place.site];
  if (of_site.size() < 2) of_site.push_back(place);
  return known->second;
}

void PlainMethods::require_way(const mpi::Place& from, const mpi::Place& to) const {
  if (methods_.has(from, to)) return;
  static constexpr const char* apart[] = {"of one node", "of one site", "of different sites"};
  const auto distance = static_cast<std::size_t>(mpi::distance_between(from, to));
  throw MachineFileError(fmt::format(
      "{}: no [[method]] carries messages of any length between ranks {} (node {} to node {}): one needs \"{}\" in its "
      "'between', and no 'longest'",
      machine_.parameters().path(), apart[distance], from.node, to.node, distances[distance]));
}

}  // namespace hindcast
