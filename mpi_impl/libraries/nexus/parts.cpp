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

}  // namespace

Contexts::Contexts(Engine& engine, Machine& machine, const EndRun& end_run)
    : machine_(machine), system_(costs_of(machine.parameters()), end_run) {
  if (machine.parameters().has("tcp.select")) hosts_.emplace(engine, machine, end_run);
  read_methods();
}

void Contexts::read_methods() {
  const MachineFile& file = machine_.parameters();
  for (const std::string& name : file.texts("nexus.methods")) {
    const MethodRow* row = row_of(name);
    if (row == nullptr)
      file.refuse("nexus.methods", fmt::format("'{}' is no method; there are {}", name, names_of_methods()));
    const bool is_there_twice =
        std::any_of(methods_.begin(), methods_.end(), [&](const Opened& opened) { return opened.name == name; });
    if (is_there_twice) file.refuse("nexus.methods", fmt::format("names '{}' twice", name));
    methods_.push_back({name, row->needs, 1, row->make()});
  }
  // How often each is polled stands in the file whether it is opened or not.
  for (const MethodRow& row : Rows<MethodRow>()) {
    const std::string key = fmt::format("nexus.{}_every", row.name);
    if (!file.has(key)) continue;
    const int every = static_cast<int>(file.count(key, 1));
    for (Opened& opened : methods_)
      if (opened.name == row.name) opened.every = every;
  }
}

Context& Contexts::add(Rank& rank, int node) {
  if (hosts_) hosts_->add(rank, node);
  Context& context = contexts_.emplace_back(system_, rank);
  for (const Opened& opened : methods_) {
    std::unique_ptr<Method> method = opened.kind->open({context, rank, node, opened.every});
    if (method == nullptr)
      machine_.parameters().refuse("nexus.methods", fmt::format("names '{}', but node {} has no {}", opened.name,
                                                                machine_.node_name(node), opened.needs));
    context.open(std::move(method));
  }
  if (context.methods().empty()) machine_.parameters().refuse("nexus.methods", "names no method");
  const NodeKind& kind = machine_.kind_of(node);
  const char* key = texts_.keep(kind.prefix + ".copy_bandwidth");
  const Rate rate = kind.processor.copy_bandwidth;
  programs_.emplace_back(context, BufferCosts{{{"put into a buffer", key}, rate}, {{"get from a buffer", key}, rate}});
  return context;
}

}  // namespace hindcast::nexus
