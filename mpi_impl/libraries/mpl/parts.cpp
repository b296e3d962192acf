#include "mpi_impl/libraries/mpl/parts.hpp"

#include "mpi_impl/libraries/common/file_costs.hpp"
#include "mpi_impl/libraries/common/steps_of_file.hpp"

namespace hindcast::mpl {

Costs costs_of(const MachineFile& file, const Processor& processor) {
  Costs costs;
  const Time sends = file_costs::share_at_sender(file, "mpl.overhead", "mpl.percent_at_sender");
  costs.send = {{"call that sends", "mpl.overhead"}, sends};
  costs.long_set_up = step_of(file, "other protocol", "mpl.long_set_up");
  costs.post = step_of(file, "call that posts a receive", "mpl.post_overhead");
  costs.receive = {{"end of a receive", "mpl.overhead"}, file.time("mpl.overhead") - sends};
  costs.status = step_above_zero_of(file, "mpc_status", "mpl.status");
  costs.copy_out = {{"copy out of the system's buffer", "processor.copy_bandwidth"}, processor.copy_bandwidth};
  costs.combine = {{"combine", "processor.combine_rate"}, processor.combine_rate};
  costs.short_max = file.bytes("mpl.short_max");
  costs.header = file.bytes("mpl.header_bytes");
  if (costs.header == Bytes()) file.refuse("mpl.header_bytes", "must be more than 0");
  return costs;
}

namespace {

int nodes_of_each_partition(const MachineFile& file) { return static_cast<int>(file.count("mpl.partition_nodes", 1)); }

}  // namespace

Partitions::Partitions(Engine& engine, Machine& machine, const EndRun& end_run)
    : engine_(engine),
      machine_(machine),
      end_run_(end_run),
      costs_(costs_of(machine.parameters(), machine.processor())),
      nodes_of_each_(nodes_of_each_partition(machine.parameters())) {}

System& Partitions::of_node(int machine_node) {
  const auto number = static_cast<std::size_t>(partition_of(machine_node));
  if (number >= systems_.size()) systems_.resize(number + 1);
  std::unique_ptr<System>& system = systems_[number];
  if (system == nullptr) system = std::make_unique<System>(engine_, machine_.network(), costs_, end_run_);
  return *system;
}

}  // namespace hindcast::mpl
