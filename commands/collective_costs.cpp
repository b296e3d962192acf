#include "commands/collective_costs.hpp"

#include <algorithm>

namespace hindcast {

namespace {

double seconds_per_byte(const Rate& rate) { return rate.time_for(1'000'000).in_seconds() / 1e6; }
double seconds(const MachineFile& file, std::string_view key) { return file.time(key).in_seconds(); }

}  // namespace

mpi::CostModel collective_costs(const MachineFile& file) {
  const double send = seconds(file, "processor.send_overhead"), receive = seconds(file, "processor.receive_overhead");
  const double copy = seconds_per_byte(file.bandwidth("processor.copy_bandwidth"));
  const double header = static_cast<double>(file.bytes("messages.header_bytes").count());
  const double wire_byte = std::max(seconds_per_byte(file.bandwidth("network.link_bandwidth")),
                                    seconds_per_byte(file.bandwidth("network.injection_bandwidth")));
  const double wire =
      seconds(file, "network.injection_latency") + seconds(file, "network.hop_latency") + header * wire_byte;
  mpi::CostModel costs;
  costs.message.eager = {send + wire + receive, copy + wire_byte};
  costs.message.asking = {send + 3 * wire + receive, wire_byte};
  costs.message.eager_limit = static_cast<double>(file.bytes("messages.eager_limit").count());
  costs.between_sends = {send, copy};
  costs.between_receives = {receive, 0};
  costs.copy = {0, copy};
  costs.waiting_message = {0, copy};
  // Of elements of 8 bytes.
  costs.combine = {0, seconds_per_byte(file.operation_rate("processor.combine_rate")) / 8};
  return costs;
}

mpi::Offers collective_offers(const MachineFile& file) {
  return {file.has("cellos.broadcast_overhead"), file.has("cellos.sync_overhead"),
          file.has("cellos.reduction_overhead")};
}

}  // namespace hindcast
