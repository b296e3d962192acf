#include "mpi_impl/libraries/earth_simulator/costs.hpp"

#include "mpi_impl/libraries/common/file_costs.hpp"
#include "simulator/machine/node_kind.hpp"
#include "simulator/machine/site.hpp"

namespace hindcast {

using namespace file_costs;

namespace {

// What moves a message's bytes from one to the other, and what it takes for each message.
struct EsWire {
  double latency;
  double byte;
};

// All ends of a message take the library's work on it: a call, an arrival, a call. What is long asks first.
mpi::CostModel model_of_es(const MachineFile& file, const EsWire& wire, double copy) {
  const double call = seconds(file, "mpi.call");
  const double way = wire.latency + call;
  mpi::CostModel costs;
  costs.message.eager = {2 * call + way, 2 * copy + wire.byte};
  costs.message.eager_limit = bytes(file, "mpi.short_max");
  costs.message.medium = {2 * call + 3 * way, 2 * copy + wire.byte};
  costs.message.medium_limit = bytes(file, "mpi.buffered_max");
  costs.message.asking = {2 * call + 3 * way + seconds(file, "mpi.set_up"), wire.byte};
  costs.between_sends = costs.message.with({call, copy}, {call, wire.byte});
  costs.between_receives = costs.message.with({2 * call, copy}, {2 * call, wire.byte});
  costs.copy = {0, copy};
  return costs;
}

}  // namespace

mpi::CostModel es_costs(const MachineFile& file, int) {
  const Site site = read_sites(file).front();
  const std::string kind = read_node_kinds(file)[static_cast<std::size_t>(site.kind_of(site.first_node))].prefix;
  const double copy = seconds_per_byte(file.bandwidth(kind + ".copy_bandwidth"));
  const double combine = combined_byte(file, kind);
  mpi::CostModel costs = model_of_es(
      file, {wire_latency(file, site.network_prefix), seconds_per_byte(file.bandwidth("rcu.bandwidth"))}, copy);
  costs.combine = {0, combine};
  auto inside = std::make_shared<mpi::CostModel>(model_of_es(file, {seconds(file, "mpi.memory_latency"), 0}, copy));
  inside->message.asking.per_byte = copy;
  inside->between_sends.asking.per_byte = copy;
  inside->combine = costs.combine;
  costs.inside = inside;
  return costs;
}

}  // namespace hindcast
