#include "mpi_impl/libraries/cray/step_costs.hpp"

#include <algorithm>

#include "mpi_impl/libraries/common/file_costs.hpp"
#include "mpi_impl/libraries/cray/mpi_choices.hpp"
#include "simulator/machine/file/keys_of_choice.hpp"

namespace hindcast::t3e {

using namespace file_costs;

namespace {

// What the network takes for so many bytes to a neighbour, header included.
double wire(const MachineFile& file, double bytes_sent) {
  return wire_latency(file) + (bytes(file, "remote_memory.header_bytes") + bytes_sent) * wire_byte(file);
}

double message_in_packet(const MachineFile& file) {
  return seconds(file, "mpi.message_overhead") + seconds(file, "message_queue.send_overhead") +
         wire(file, bytes(file, "message_queue.packet_bytes")) + seconds(file, "message_queue.receive_overhead");
}

// A swap that locks, a put that is waited for, a swap that unlocks, and the owner's look.
double message_in_slot(const MachineFile& file) {
  const double swap =
      seconds(file, "shmem.atomic_overhead") + 2 * wire(file, 8) + seconds(file, "remote_memory.atomic_service");
  const double put =
      seconds(file, "shmem.put_overhead") + wire(file, bytes(file, "locked_queue.slot_bytes")) + wire_latency(file);
  return seconds(file, "mpi.message_overhead") + seconds(file, "locked_queue.put_overhead") + 2 * swap + put +
         seconds(file, "locked_queue.look") + seconds(file, "locked_queue.receive_overhead");
}

mpi::T3eLine get_of(const MachineFile& file) {
  return {seconds(file, "shmem.get_overhead") + 2 * wire(file, 0) + seconds(file, "remote_memory.get_service"),
          std::max(wire_byte(file), seconds_per_byte(file.bandwidth("remote_memory.get_bandwidth")))};
}

// Its data is loaded, and the call that waits for its end made, while it is on its way.
mpi::T3eLine put_of(const MachineFile& file) {
  const double put_byte = std::max(seconds_per_byte(file.bandwidth("remote_memory.put_bandwidth")),
                                   seconds_per_byte(file.bandwidth("remote_memory.load_bandwidth")));
  return {seconds(file, "shmem.put_overhead") + wire(file, 0) + wire_latency(file),
          std::max(wire_byte(file), put_byte)};
}

// It is read and written where all of the PE's bytes are.
double copied_byte(const MachineFile& file) {
  const double own = seconds_per_byte(file.bandwidth("processor.copy_bandwidth"));
  const KeysOfChoice memory(file, file.choice("local_memory.sharing", {"fair", "turns", "apart"}) != "apart");
  const double memorys = 2 * seconds_per_byte(memory.bandwidth("local_memory.bandwidth"));
  return memory.is_taken() ? std::max(own, memorys) : own;
}

}  // namespace

mpi::T3eStepCosts step_costs_of(const MachineFile& file) {
  mpi::T3eStepCosts steps;
  steps.send_call = seconds(file, "mpi.send_overhead");
  steps.receive_call = seconds(file, "mpi.receive_overhead");
  const double handling = seconds(file, "mpi.handling_overhead");
  steps.message = (has_hardware_queue(file) ? message_in_packet(file) : message_in_slot(file)) + handling;
  steps.way = wire_latency(file) + handling;
  steps.handling = handling;
  steps.get = get_of(file);
  steps.put = put_of(file);
  steps.copied_byte = copied_byte(file);
  if (chosen_protocols(file).medium.reach == mpi::T3eReach::slots)
    steps.slot_byte =
        put_of(file).per_byte * bytes(file, "locked_queue.slot_bytes") / bytes(file, "locked_queue.slot_data");
  return steps;
}

}  // namespace hindcast::t3e
