#include "mpi_impl/libraries/plain/methods.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "mpi_impl/libraries/common/endpoint_costs.hpp"
#include "mpi_impl/libraries/common/steps_of_file.hpp"
#include "simulator/machine/file/keys_of_choice.hpp"

namespace hindcast {

namespace {

const std::vector<std::string> carriers{"memory", "network", "wide area"};
const std::vector<std::string> distances{"node", "site", "sites"};

}  // namespace

PlainMethods::PlainMethods(Engine& engine, Machine& machine, Progress progress)
    : machine_(machine), memories_(engine, machine) {
  const std::vector<NamedTable> tables = machine.parameters().tables("method");
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
    if (memories_.carry_messages()) file.refuse(table, "a second method that is carried by memory");
    if (between != std::vector<std::string>{"node"})
      file.refuse(prefix + ".between", "memory carries messages between ranks of a node, and no others");
    read_memory(prefix);
    costs.leaves_payload_to_processors = true;
  } else {
    KeysOfChoice(file, false).time(prefix + ".latency");  // nobody waits for it, but it may stand there
  }
  use(costs, table.name, carried_by, between, longest);
}

void PlainMethods::read_memory(const std::string& prefix) {
  const char* key = texts_.keep(prefix + ".latency");
  memories_.carry_messages(step_of(machine_.parameters(), "until the other processor sees it", key));
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

Network* PlainMethods::network_at(const std::string& carried_by, int site) {
  if (carried_by == "memory") return &memories_.between_processors();
  return carried_by == "network" ? memories_.network_of_site(site) : machine_.wide_area();
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

const mpi::EndpointCosts& PlainMethods::add_rank(int node) {
  const mpi::Place place = place_of(node);
  const auto [known, is_new] = costs_.try_emplace(node);
  if (!is_new) return known->second;
  known->second = endpoint_costs_of(machine_.kind_of(node), texts_);
  known->second.local.memory = memories_.add(node);
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
