#include "mpi_impl/libraries/cellos/costs.hpp"

#include <algorithm>
#include <limits>

#include "mpi_impl/libraries/cellos/mpi/group_operations.hpp"
#include "mpi_impl/libraries/cellos/native/group/xy_exchange.hpp"
#include "mpi_impl/libraries/common/file_costs.hpp"

namespace hindcast {

using namespace file_costs;

namespace {

// What the host takes part in goes over its line. Messages are those between cells all the same.
void add_host(mpi::CostModel& costs, const MachineFile& file) {
  const double byte = std::max(seconds_per_byte(file.bandwidth("host.line_bandwidth")),
                               seconds_per_byte(file.bandwidth("bnet.bandwidth")));
  const double more = byte - costs.broadcast.per_byte, header = bytes(file, "cellos.header_bytes");
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

mpi::Offers offers_of(const MachineFile& file, int ranks) {
  const bool with_host = file.choice("mpi.host", {"no", "yes"}) == "yes";
  return {ranks >= file.count("mpi.small_group"), true, !with_host, with_host ? mpi::host_offer(0) : mpi::OwnOffer{}};
}

}  // namespace

// docs/machines/ap1000.md has the equations.
mpi::CostModel cellos_costs(const MachineFile& file, int ranks) {
  const double send = seconds(file, "processor.send_overhead") + seconds(file, "cellos.domain_overhead");
  const double receive = seconds(file, "processor.receive_overhead");
  const double copy = seconds_per_byte(file.bandwidth("processor.copy_bandwidth")), byte = wire_byte(file);
  const double header = bytes(file, "cellos.header_bytes");
  mpi::CostModel costs;
  costs.message.eager = {send + wire_latency(file) + header * byte + receive, 2 * copy + byte};
  costs.message.eager_limit = std::numeric_limits<double>::infinity();
  costs.between_sends = {send, copy};
  costs.between_receives = {receive, copy};
  costs.copy = {0, copy};

  const double bus_byte = seconds_per_byte(file.bandwidth("bnet.bandwidth"));
  const bool is_misaligned =
      file.choice("cellos.misaligned_broadcasts", {"without a domain", "with a domain", "none"}) == "with a domain";
  const double misaligned =
      copy + (is_misaligned ? seconds_per_byte(file.time_per_byte("cellos.misaligned_copy_extra")) : 0);
  const bool is_interrupted =
      file.choice("cellos.broadcast_interrupts", {"at its end", "at its start", "never"}) != "never";
  const double interruption = is_interrupted ? seconds(file, "cellos.broadcast_interruption") : 0;
  const double start =
      seconds(file, "cellos.broadcast_overhead") + seconds(file, "cellos.selective_broadcast_overhead");
  costs.offers = offers_of(file, ranks);
  costs.broadcast = {start + interruption + seconds(file, "bnet.latency") + header * bus_byte + receive, bus_byte,
                     misaligned};
  costs.waiting_broadcast = {0, 0};
  costs.between_broadcasts = {interruption + receive + header * bus_byte, bus_byte, misaligned};
  costs.barrier = seconds(file, "cellos.sync_overhead");
  const double step = seconds(file, "cellos.reduction_step") + wire_latency(file) + (header + 8) * byte;
  costs.element_reduction = seconds(file, "cellos.reduction_overhead") + cellos::XyExchange::steps_for(ranks) * step;
  if (!costs.offers.own.library.empty()) add_host(costs, file);
  costs.combine = {0, combined_byte(file)};
  return costs;
}

}  // namespace hindcast
