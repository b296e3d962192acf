#include "mpi_impl/libraries/plain/costs.hpp"

#include <algorithm>
#include <memory>

#include "mpi_impl/libraries/common/file_costs.hpp"
#include "simulator/machine/node_kind.hpp"
#include "simulator/machine/site.hpp"

namespace hindcast {

using namespace file_costs;

namespace {

// The tables where the costs of a message stand.
struct Tables {
  std::string processor = "processor";
  std::string network = "network";
  std::string ends = "processor";     // of what a call takes
  std::string messages = "messages";  // of the protocol
};

// Of ranks that a network joins. Of several methods the first that it carries, at the first site.
Tables tables_of(const MachineFile& file) {
  const std::vector<NamedTable> methods = file.tables("method");
  if (methods.empty()) return {};
  const auto carried = std::find_if(methods.begin(), methods.end(), [&](const NamedTable& method) {
    return file.choice(method.prefix() + ".carried_by", {"memory", "network", "wide area"}) == "network";
  });
  const Site site = read_sites(file).front();
  const std::string kind = read_node_kinds(file)[static_cast<std::size_t>(site.kind_of(site.first_node))].prefix;
  const std::string method = (carried == methods.end() ? methods.front() : *carried).prefix();
  return {kind, site.network_prefix, method, method};
}

struct Arrival {
  double work = 0;  // of the processor
  double wait = 0;  // for it, on the average: a rank that waits polls once a period
};

Arrival arrival_of(const MachineFile& file, const Tables& tables) {
  const std::string progress = file.choice("messages.progress", {"hardware", "interrupt", "polling"});
  if (progress == "hardware") return {};
  return {seconds(file, tables.messages + ".service_cost"),
          progress == "polling" ? seconds(file, tables.processor + ".poll") / 2 : 0};
}

// What moves a message's bytes, and a wire's latency with its header.
struct Wire {
  double latency;
  double byte;
};

// What asks is not copied, and goes one after another over the sender's and the receiver's links.
mpi::CostModel model_of(const MachineFile& file, const Tables& tables, const Wire& wire) {
  const double send = seconds(file, tables.ends + ".send_overhead");
  const double receive = seconds(file, tables.ends + ".receive_overhead");
  const double copy = seconds_per_byte(file.bandwidth(tables.processor + ".copy_bandwidth"));
  const Arrival arrival = arrival_of(file, tables);
  const double way =
      wire.latency + bytes(file, tables.messages + ".header_bytes") * wire.byte + arrival.wait + arrival.work;
  mpi::CostModel costs;
  costs.message.eager = {send + way + receive, copy + wire.byte};
  costs.message.asking = {send + 3 * way + receive, wire.byte};
  costs.message.eager_limit = bytes(file, tables.messages + ".eager_limit");
  costs.between_sends = costs.message.with({send, copy}, {send, wire.byte});
  costs.between_receives = costs.message.with({receive + arrival.work, 0}, {receive + 2 * arrival.work, wire.byte});
  costs.copy = {0, copy};
  costs.waiting_message = costs.message.with({0, copy}, {2 * way, 0});
  costs.combine = {0, combined_byte(file, tables.processor)};
  return costs;
}

// Inside a node, if its processors have messages by memory: a byte is copied in and out.
std::shared_ptr<const mpi::CostModel> model_inside_node(const MachineFile& file, Tables tables) {
  for (const NamedTable& method : file.tables("method")) {
    if (file.choice(method.prefix() + ".carried_by", {"memory", "network", "wide area"}) != "memory") continue;
    tables.ends = tables.messages = method.prefix();
    const double copy = seconds_per_byte(file.bandwidth(tables.processor + ".copy_bandwidth"));
    auto costs =
        std::make_shared<mpi::CostModel>(model_of(file, tables, {seconds(file, method.prefix() + ".latency"), copy}));
    costs->waiting_message.eager = {0, 0};  // it is copied out in any case
    return costs;
  }
  return nullptr;
}

}  // namespace

mpi::CostModel plain_costs(const MachineFile& file, int) {
  const Tables tables = tables_of(file);
  mpi::CostModel costs = model_of(file, tables, {wire_latency(file, tables.network), wire_byte(file, tables.network)});
  costs.inside = model_inside_node(file, tables);
  return costs;
}

}  // namespace hindcast
