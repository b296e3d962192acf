#include "mpi_impl/libraries/cellos/host_parts.hpp"

#include "mpi_impl/libraries/common/steps_of_file.hpp"
#include "simulator/machine/file/keys_of_choice.hpp"

namespace hindcast {

namespace {

// CellOS's library on the host goes about everything as a cell's does, at the pace of the host's processor.
cellos::Costs costs_of(const KeysOfChoice& keys, const Processor& host, const cellos::Costs& of_cells) {
  cellos::Costs costs = of_cells;
  costs.send = step_of(keys, "call that sends", "host.send_overhead");
  costs.receive = step_of(keys, "call that receives", "host.receive_overhead");
  costs.host_scatter = as_long_as(costs.send, "h_sscatter");
  costs.host_gather = as_long_as(costs.receive, "h_rgather");
  costs.probe = {{"probe", "host.poll"}, host.poll};
  costs.copy_in = {{"copy to the system's send buffer", "host.copy_bandwidth"}, host.copy_bandwidth};
  costs.copy_out = {{"copy out of the ring buffer", "host.copy_bandwidth"}, host.copy_bandwidth};
  costs.clock_read = host.clock_read;
  return costs;
}

}  // namespace

CellosHost::CellosHost(Machine& machine, BroadcastBus& bus, int ranks, const cellos::Costs& of_cells)
    : processor_(read_processor(KeysOfChoice(machine.parameters(), machine.has_front_end()), "host")) {
  const cellos::Costs costs =
      costs_of(KeysOfChoice(machine.parameters(), machine.has_front_end()), processor_, of_cells);
  if (!machine.has_front_end()) return;
  line_ = machine.build_front_end_line(bus);
  barrier_ = machine.build_barrier_tree("snet", ranks);
  statuses_ = machine.build_barrier_tree("snet", ranks);
  distribution_ = machine.build_barrier_tree("snet", ranks);
  parts_.emplace(cellos::HostParts{machine.front_end_node(), *line_, *barrier_, *statuses_, *distribution_, costs});
}

}  // namespace hindcast
