#include "mpi_impl/libraries/cellos/host_parts.hpp"

#include "simulator/machine/file/keys_of_choice.hpp"

namespace hindcast {

namespace {

// CellOS's library on the host goes about everything as a cell's does, at the pace of the host's processor.
cellos::Costs costs_of(const KeysOfChoice& keys, const Processor& host, const cellos::Costs& of_cells) {
  cellos::Costs costs = of_cells;
  costs.send = {{"call that sends", "host.send_overhead"}, keys.time("host.send_overhead")};
  costs.receive = {{"call that receives", "host.receive_overhead"}, keys.time("host.receive_overhead")};
  costs.host_scatter = {{"h_sscatter", "host.send_overhead"}, costs.send.cost};
  costs.host_gather = {{"h_rgather", "host.receive_overhead"}, costs.receive.cost};
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
