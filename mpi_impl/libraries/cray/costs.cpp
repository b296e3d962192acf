#include "mpi_impl/libraries/cray/costs.hpp"

#include <algorithm>

#include "mpi_impl/libraries/common/file_costs.hpp"
#include "simulator/hardware/collective/barrier_tree.hpp"

namespace hindcast {

using namespace file_costs;

namespace {

// What the network takes for so many bytes to a neighbour, header included.
double t3e_wire(const MachineFile& file, double count) {
  const double header = bytes(file, "remote_memory.header_bytes");
  return wire_latency(file) + (header + count) * wire_byte(file);
}

bool is_chosen(const MachineFile& file, const char* key, const char* name, const char* of_library) {
  const std::string chosen = file.choice(key, {"as the library", "hardware", "locked", "messages"});
  return chosen == name || (chosen == "as the library" && file.choice("mpi.library", {"new", "old"}) == of_library);
}

// From a protocol message's making to its having been read.
double t3e_protocol_message(const MachineFile& file) {
  const double making = seconds(file, "mpi.message_overhead");
  if (is_chosen(file, "mpi.queue", "hardware", "new"))
    return making + seconds(file, "message_queue.send_overhead") +
           t3e_wire(file, bytes(file, "message_queue.packet_bytes")) + seconds(file, "message_queue.receive_overhead");
  const double swap =
      seconds(file, "shmem.atomic_overhead") + 2 * t3e_wire(file, 8) + seconds(file, "remote_memory.atomic_service");
  const double put =
      seconds(file, "shmem.put_overhead") + t3e_wire(file, bytes(file, "locked_queue.slot_bytes")) + wire_latency(file);
  return making + seconds(file, "locked_queue.put_overhead") + 2 * swap + put + seconds(file, "locked_queue.look") +
         seconds(file, "locked_queue.receive_overhead");
}

}  // namespace

// What fits in a protocol message comes with it; the rest is taken for RTA: a request, a get, an acknowledgement that
// nobody waits for.
mpi::CostModel t3e_costs(const MachineFile& file, int ranks) {
  const double calls = seconds(file, "mpi.send_overhead") + seconds(file, "mpi.receive_overhead");
  const double message = t3e_protocol_message(file);
  const double get =
      seconds(file, "shmem.get_overhead") + 2 * t3e_wire(file, 0) + seconds(file, "remote_memory.get_service");
  const double got_byte = std::max(wire_byte(file), seconds_per_byte(file.bandwidth("remote_memory.get_bandwidth")));
  const double copy = seconds_per_byte(file.bandwidth("processor.copy_bandwidth"));
  const bool in_hardware = is_chosen(file, "mpi.queue", "hardware", "new");
  const Bytes short_max = file.bytes("mpi.short_max"), slot_max = file.bytes("locked_queue.short_max");
  mpi::CostModel costs;
  costs.message.eager = {calls + message, 0};
  costs.message.asking = {calls + message + get, got_byte};
  costs.message.eager_limit = static_cast<double>((in_hardware ? short_max : std::min(short_max, slot_max)).count());
  costs.between_sends = {seconds(file, "mpi.send_overhead") + message - wire_latency(file), 0};
  costs.between_receives = {seconds(file, "mpi.receive_overhead") + get, got_byte};
  costs.copy = {0, copy};
  costs.offers.barrier = is_chosen(file, "mpi.barrier", "hardware", "new");
  const auto leaves_per_knot = static_cast<int>(file.count("barrier.branching", 2));
  costs.barrier = seconds(file, "shmem.barrier_overhead") +
                  2 * BarrierTree::levels_for(ranks, leaves_per_knot) * seconds(file, "barrier.latency");
  costs.combine = {0, combined_byte(file)};
  return costs;
}

}  // namespace hindcast
