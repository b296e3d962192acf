#include "commands/collective_costs.hpp"

#include <algorithm>
#include <limits>

#include "simulator/hardware/collective/barrier_tree.hpp"

namespace hindcast {

namespace {

double seconds_per_byte(const Rate& rate) { return rate.time_for(1'000'000).in_seconds() / 1e6; }
double seconds(const MachineFile& file, std::string_view key) { return file.time(key).in_seconds(); }

double wire_byte(const MachineFile& file) {
  return std::max(seconds_per_byte(file.bandwidth("network.link_bandwidth")),
                  seconds_per_byte(file.bandwidth("network.injection_bandwidth")));
}

double wire_latency(const MachineFile& file) {
  return seconds(file, "network.injection_latency") + seconds(file, "network.hop_latency");
}

mpi::CostModel plain_costs(const MachineFile& file) {
  const double send = seconds(file, "processor.send_overhead"), receive = seconds(file, "processor.receive_overhead");
  const double copy = seconds_per_byte(file.bandwidth("processor.copy_bandwidth")), byte = wire_byte(file);
  const double wire = wire_latency(file) + static_cast<double>(file.bytes("messages.header_bytes").count()) * byte;
  mpi::CostModel costs;
  costs.message.eager = {send + wire + receive, copy + byte};
  costs.message.asking = {send + 3 * wire + receive, byte};
  costs.message.eager_limit = static_cast<double>(file.bytes("messages.eager_limit").count());
  costs.between_sends = {send, copy};
  costs.between_receives = {receive, 0};
  costs.copy = {0, copy};
  costs.waiting_message = {0, copy};
  return costs;
}

// What the host takes part in goes over its line. Messages are those between cells all the same.
void add_host(mpi::CostModel& costs, const MachineFile& file) {
  const double byte = std::max(seconds_per_byte(file.bandwidth("host.line_bandwidth")),
                               seconds_per_byte(file.bandwidth("bnet.bandwidth")));
  const double more = byte - costs.broadcast.per_byte,
               header = static_cast<double>(file.bytes("cellos.header_bytes").count());
  const double line = seconds(file, "host.line_latency");
  costs.broadcast.fixed += header * more + line;
  costs.broadcast.per_byte += more;
  costs.between_broadcasts.fixed += header * more + line;
  costs.between_broadcasts.per_byte += more;
  const double way = header * byte + seconds(file, "bnet.latency") + line;
  const auto all_call = [&](const char* of_host, const char* of_cells) {
    return std::max(seconds(file, of_host), seconds(file, of_cells));
  };
  costs.own["H"] = {all_call("host.send_overhead", "processor.receive_overhead") + way, byte};
  costs.own["G"] = {all_call("host.receive_overhead", "processor.send_overhead") + way, byte};
}

// docs/machines/ap1000.md has the equations.
mpi::CostModel cellos_costs(const MachineFile& file, int ranks) {
  const double send = seconds(file, "processor.send_overhead") + seconds(file, "cellos.domain_overhead");
  const double receive = seconds(file, "processor.receive_overhead");
  const double copy = seconds_per_byte(file.bandwidth("processor.copy_bandwidth")), byte = wire_byte(file);
  const double header = static_cast<double>(file.bytes("cellos.header_bytes").count());
  mpi::CostModel costs;
  costs.message.eager = {send + wire_latency(file) + header * byte + receive, 2 * copy + byte};
  costs.message.eager_limit = std::numeric_limits<double>::infinity();
  costs.between_sends = {send, copy};
  costs.between_receives = {receive, copy};
  costs.copy = {0, copy};

  const double bus_byte = seconds_per_byte(file.bandwidth("bnet.bandwidth"));
  const double misaligned = copy + seconds_per_byte(file.time_per_byte("cellos.misaligned_copy_extra"));
  const double start =
      seconds(file, "cellos.broadcast_overhead") + seconds(file, "cellos.selective_broadcast_overhead");
  costs.offers = collective_offers(file, ranks);
  costs.broadcast = {start + seconds(file, "bnet.latency") + header * bus_byte + receive, bus_byte, misaligned};
  costs.waiting_broadcast = {0, misaligned};
  costs.between_broadcasts = {receive + header * bus_byte, bus_byte + misaligned, misaligned};
  costs.barrier = seconds(file, "cellos.sync_overhead");
  costs.element_reduction = seconds(file, "cellos.reduction_overhead");
  if (!costs.offers.own.library.empty()) add_host(costs, file);
  return costs;
}

// What the network takes for so many bytes to a neighbour, header included.
double t3e_wire(const MachineFile& file, double bytes) {
  const double header = static_cast<double>(file.bytes("remote_memory.header_bytes").count());
  return wire_latency(file) + (header + bytes) * wire_byte(file);
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
           t3e_wire(file, static_cast<double>(file.bytes("message_queue.packet_bytes").count())) +
           seconds(file, "message_queue.receive_overhead");
  const double swap =
      seconds(file, "shmem.atomic_overhead") + 2 * t3e_wire(file, 8) + seconds(file, "remote_memory.atomic_service");
  const double put = seconds(file, "shmem.put_overhead") +
                     t3e_wire(file, static_cast<double>(file.bytes("locked_queue.slot_bytes").count())) +
                     wire_latency(file);
  return making + seconds(file, "locked_queue.put_overhead") + 2 * swap + put + seconds(file, "locked_queue.look") +
         seconds(file, "locked_queue.receive_overhead");
}

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
  costs.offers = collective_offers(file, ranks);
  const auto leaves_per_knot = static_cast<int>(file.count("barrier.branching", 2));
  costs.barrier = seconds(file, "shmem.barrier_overhead") +
                  2 * BarrierTree::levels_for(ranks, leaves_per_knot) * seconds(file, "barrier.latency");
  return costs;
}

}  // namespace

mpi::CostModel collective_costs(const MachineFile& file, int ranks) {
  const std::string library = file.choice("messages.library", {"plain", "cellos", "t3e"});
  mpi::CostModel costs = library == "cellos" ? cellos_costs(file, ranks)
                         : library == "t3e"  ? t3e_costs(file, ranks)
                                             : plain_costs(file);
  // Of elements of 8 bytes.
  costs.combine = {0, seconds_per_byte(file.operation_rate("processor.combine_rate")) / 8};
  return costs;
}

mpi::Offers collective_offers(const MachineFile& file, int ranks) {
  const std::string library = file.choice("messages.library", {"plain", "cellos", "t3e"});
  if (library == "t3e") {
    mpi::Offers offers;
    offers.barrier = is_chosen(file, "mpi.barrier", "hardware", "new");
    return offers;
  }
  if (library != "cellos") return {};
  const bool with_host = file.choice("mpi.host", {"no", "yes"}) == "yes";
  return {ranks >= file.count("mpi.small_group"), true, !with_host,
          with_host ? mpi::OwnOffer{"cellos", 0} : mpi::OwnOffer{}};
}

}  // namespace hindcast
