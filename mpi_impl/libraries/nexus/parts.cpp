#include "mpi_impl/libraries/nexus/parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "mpi_impl/libraries/common/steps_of_file.hpp"

namespace hindcast::nexus {

namespace {

Costs costs_of(const MachineFile& file) {
  Costs costs;
  costs.header = step_of(file, "set-up of a request's header", "nexus.header_setup");
  costs.call = step_of(file, "call of Nexus", "nexus.call_overhead");
  costs.lookup = step_of(file, "look-up of a handler", "nexus.handler_lookup");
  costs.locking = step_of(file, "lock of Nexus", "nexus.locking");
  costs.thread_create = step_of(file, "start of a handler's thread", "nexus.thread_create");
  costs.header_bytes = file.bytes("nexus.header_bytes");
  if (costs.header_bytes == Bytes()) file.refuse("nexus.header_bytes", "must be more than 0");
  costs.is_threaded = file.choice("nexus.version", {"non-threaded", "threaded"}) == "threaded";
  costs.finishes_pass = file.choice("nexus.pass", {"finished", "left"}) == "finished";
  return costs;
}

const MethodRow* row_of(const std::string& name) {
  for (const MethodRow& row : Rows<MethodRow>())
    if (row.name == name) return &row;
  return nullptr;
}

std::string names_of_methods() {
  std::vector<std::string> names;
  for (const MethodRow& row : Rows<MethodRow>()) names.push_back(row.name);
  std::sort(names.begin(), names.end());
  return fmt::format("{}", fmt::join(names, ", "));
}

// The one that the run is to be started by, if there is one.
std::optional<ResourceDatabase> database_of(const LibraryStart& start) {
  constexpr auto key = "machine.resources";
  const MachineFile& file = start.machine.parameters();
  if (!file.has(key)) return std::nullopt;
  const std::string path = shown_value(file.parameter(key));
  if (path == "none") return std::nullopt;
  return std::optional<ResourceDatabase>(std::in_place, path, start.machine, start.nodes, start.ranks);
}

}  // namespace

Contexts::Contexts(const LibraryStart& start)
    : machine_(start.machine),
      database_(database_of(start)),
      start_(start.machine, start.nodes_at_start(), database_.has_value()),
      system_(costs_of(start.machine.parameters()), start.end_run),
      memories_(start.engine, start.machine) {
  if (machine_.parameters().has("tcp.select")) hosts_.emplace(start.engine, machine_, start.end_run);
  if (database_) system_.database = database_->path();
  read_methods(start.engine);
}

MemoryPort* Contexts::memory_of(int node) {
  if (hosts_) return hosts_->memory_of(node);
  const auto [known, is_new] = memory_ports_.try_emplace(node);
  if (is_new) known->second = memories_.add(node);
  return known->second;
}

void Contexts::read_methods(Engine& engine) {
  const MachineFile& file = machine_.parameters();
  const KindStart start{engine, machine_, [this](int node) { return memory_of(node); }};
  for (const std::string& name : file.texts("nexus.methods")) {
    const MethodRow* row = row_of(name);
    if (row == nullptr)
      file.refuse("nexus.methods", fmt::format("'{}' is no method; there are {}", name, names_of_methods()));
    const bool is_there_twice =
        std::any_of(methods_.begin(), methods_.end(), [&](const Opened& opened) { return opened.name == name; });
    if (is_there_twice) file.refuse("nexus.methods", fmt::format("names '{}' twice", name));
    methods_.push_back({name, 1, row->make(start)});
  }
  // How often each is polled stands in the file whether it is opened or not.
  for (const MethodRow& row : Rows<MethodRow>()) {
    const auto is_this = [&](const Opened& opened) { return opened.name == row.name; };
    if (!row.key.empty() && file.has(row.key) && std::none_of(methods_.begin(), methods_.end(), is_this))
      row.make(start);
    const std::string key = fmt::format("nexus.{}_every", row.name);
    if (!file.has(key)) continue;
    const int every = file.small_count(key, 1);
    for (Opened& opened : methods_)
      if (is_this(opened)) opened.every = every;
  }
}

Context& Contexts::add(Rank& rank, int node) {
  if (hosts_) hosts_->add(rank, node);
  Context& context = contexts_.emplace_back(system_, rank);
  place(node);
  open_methods(context, rank, node);
  const NodeKind& kind = machine_.kind_of(node);
  const char* key = texts_.keep(kind.prefix + ".copy_bandwidth");
  const Rate rate = kind.processor.copy_bandwidth;
  programs_.emplace_back(context, BufferCosts{{{"put into a buffer", key}, rate}, {{"get from a buffer", key}, rate}});
  return context;
}

// A site is one machine.
void Contexts::place(int node) {
  const Site& site = machine_.site(machine_.site_of(node));
  int processors = 0;
  for (int of_site = site.first_node; of_site < site.first_node + site.nodes; ++of_site)
    processors += machine_.kind_of(of_site).processors;
  system_.place(site.name, processors);
}

void Contexts::program_begins(const Rank& rank) {
  if (database_ && database_->starts(rank.id)) start_.take_place();
}

bool Contexts::open(const Opened& method, Context& context, Rank& rank, int node) {
  std::unique_ptr<Method> opened = method.kind->open({context, rank, node, machine_.node_name(node), method.every});
  if (opened == nullptr) return false;
  context.open(std::move(opened));
  return true;
}

// Those that the database says, in its order; it has been written for this node.
void Contexts::open_methods_of(const ResourceDatabase::Entry& entry, Context& context, Rank& rank, int node) {
  for (const std::string& name : entry.methods) {
    const auto named =
        std::find_if(methods_.begin(), methods_.end(), [&](const Opened& opened) { return opened.name == name; });
    if (named == methods_.end())
      database_->refuse(entry, fmt::format("'{}' is none of the methods in nexus.methods, {}", name,
                                           shown_value(machine_.parameters().parameter("nexus.methods"))));
    if (context.has(name)) database_->refuse(entry, fmt::format("names '{}' twice", name));
    if (!open(*named, context, rank, node))
      database_->refuse(entry, fmt::format("contexts on {} have no method '{}'", entry.place, name));
  }
}

// Those that its node has, unless a database says.
void Contexts::open_methods(Context& context, Rank& rank, int node) {
  const ResourceDatabase::Entry* const entry = database_ ? &database_->of_context(rank.id, node) : nullptr;
  if (entry != nullptr && !entry->methods.empty()) return open_methods_of(*entry, context, rank, node);
  for (const Opened& opened : methods_) open(opened, context, rank, node);
  if (context.methods().empty())
    machine_.parameters().refuse("nexus.methods",
                                 fmt::format("names no method that contexts on {} have", machine_.node_name(node)));
}

}  // namespace hindcast::nexus
