#include "mpi_impl/libraries/mpl/parts.hpp"

#include "mpi_impl/libraries/common/file_costs.hpp"
#include "mpi_impl/libraries/common/steps_of_file.hpp"

namespace hindcast::mpl {

namespace {

constexpr auto kind_key = "mpl.nodes";

std::string kind_with_mpl(const Machine& machine) {
  const MachineFile& file = machine.parameters();
  if (!file.has(kind_key)) return machine.kind_of(0).name;
  return file.choice(kind_key, file.choices(file.parameter(kind_key)));
}

const NodeKind& kind_named(const Machine& machine, const std::string& name) {
  for (int node = 0; node < machine.nodes(); ++node)
    if (machine.kind_of(node).name == name) return machine.kind_of(node);
  machine.parameters().refuse(kind_key, "no site has nodes of this kind");
}

Costs costs_of(const MachineFile& file, const NodeKind& kind, KeptTexts& texts) {
  Costs costs;
  const Time sends = file_costs::share_at_sender(file, "mpl.overhead", "mpl.percent_at_sender");
  costs.send = {{"call that sends", "mpl.overhead"}, sends};
  costs.long_set_up = step_of(file, "other protocol", "mpl.long_set_up");
  costs.post = step_of(file, "call that posts a receive", "mpl.post_overhead");
  costs.receive = {{"end of a receive", "mpl.overhead"}, file.time("mpl.overhead") - sends};
  costs.status = step_above_zero_of(file, "mpc_status", "mpl.status");
  costs.copy_out = {{"copy out of the system's buffer", texts.keep(kind.prefix + ".copy_bandwidth")},
                    kind.processor.copy_bandwidth};
  costs.combine = {{"combine", texts.keep(kind.prefix + ".combine_rate")}, kind.processor.combine_rate};
  costs.short_max = file.bytes("mpl.short_max");
  costs.header = file.bytes("mpl.header_bytes");
  if (costs.header == Bytes()) file.refuse("mpl.header_bytes", "must be more than 0");
  return costs;
}

}  // namespace

Partitions::Partitions(Engine& engine, Machine& machine, const EndRun& end_run)
    : engine_(engine),
      machine_(machine),
      end_run_(end_run),
      kind_(kind_with_mpl(machine)),
      costs_(costs_of(machine.parameters(), kind_named(machine, kind_), texts_)),
      nodes_of_each_(machine.parameters().small_count("mpl.partition_nodes", 1)) {}

bool Partitions::has(int machine_node) const {
  return machine_.kind_of(machine_node).name == kind_ &&
         machine_.network_of_site(machine_.site_of(machine_node)) != nullptr;
}

int Partitions::partition_of(int machine_node) const {
  const int first = machine_.site(machine_.site_of(machine_node)).first_node;
  return first + (machine_node - first) / nodes_of_each_;
}

System& Partitions::of_node(int machine_node) {
  std::unique_ptr<System>& system = systems_[partition_of(machine_node)];
  Network* const network = machine_.network_of_site(machine_.site_of(machine_node));
  if (system == nullptr) system = std::make_unique<System>(engine_, *network, costs_, end_run_);
  return *system;
}

}  // namespace hindcast::mpl
