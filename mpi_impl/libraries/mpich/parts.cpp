#include "mpi_impl/libraries/mpich/parts.hpp"

#include "mpi_impl/libraries/common/endpoint_costs.hpp"
#include "mpi_impl/libraries/common/file_costs.hpp"
#include "mpi_impl/libraries/common/steps_of_file.hpp"
#include "simulator/machine/file/keys_of_choice.hpp"

namespace hindcast {

MpichOfMachine::MpichOfMachine(Machine& machine)
    : machine_(machine),
      is_on_nexus_(machine.parameters().choice("mpi.channel", {"mpl", "nexus"}) == "nexus"),
      header_(machine.parameters().bytes("mpi.header_bytes")) {
  for (int node = 0; node < machine.nodes(); ++node) {
    const NodeKind& kind = machine.kind_of(node);
    if (!by_kind_.contains(kind.prefix)) by_kind_[kind.prefix] = settings_of(kind);
  }
}

const MpichOfNode& MpichOfMachine::at(int node, MemoryPort* memory) {
  const MpichOfNode& of_kind = by_kind_.at(machine_.kind_of(node).prefix);
  if (memory == nullptr) return of_kind;
  const auto [of_node, is_new] = by_node_.try_emplace(node, of_kind);
  of_node->second.device.local.memory = memory;
  return of_node->second;
}

MpichOfNode MpichOfMachine::settings_of(const NodeKind& kind) {
  const MachineFile& file = machine_.parameters();
  const char* copied_at = key_that_bounds_copies(kind, texts_);
  MpichOfNode of_node;
  mpi::MpichSettings& device = of_node.device;
  const Time sends = file_costs::share_at_sender(file, "mpi.overhead", "mpi.percent_at_sender");
  device.send = {{"MPICH's own work in a send", "mpi.overhead"}, sends};
  device.receive = {{"MPICH's own work in a receive", "mpi.overhead"}, file.time("mpi.overhead") - sends};
  device.copy_in = {"copy into the control message", copied_at};
  device.copy_out = {"copy out of the control message", copied_at};
  device.copy_aside = {"copy aside, as no receive is posted", copied_at};
  device.in_one_max = file.bytes("mpi.in_one_max");
  device.local = endpoint_costs_of(kind, texts_).local;
  of_node.on_nexus = {
      .rest = step_of(KeysOfChoice(file, is_on_nexus_), "what else MPICH takes on Nexus", "mpi.nexus_rest"),
      .pointer = {{"global pointer to another rank", ""}, Time()},  // in MPI_Init, whose time nobody tells
      .copy = {{"copy of data that has come too early", copied_at}, kind.processor.copy_bandwidth},
      .header = header_};
  return of_node;
}

}  // namespace hindcast
