#include "mpi_impl/libraries/plain/costs.hpp"

#include "mpi_impl/libraries/common/file_costs.hpp"

namespace hindcast {

using namespace file_costs;

namespace {

struct Arrival {
  double work = 0;  // of the processor
  double wait = 0;  // for it, on the average: a rank that waits polls once a period
};

Arrival arrival_of(const MachineFile& file) {
  const std::string progress = file.choice("messages.progress", {"hardware", "interrupt", "polling"});
  if (progress == "hardware") return {};
  return {seconds(file, "messages.service_cost"), progress == "polling" ? seconds(file, "processor.poll") / 2 : 0};
}

}  // namespace

mpi::CostModel plain_costs(const MachineFile& file, int) {
  const double send = seconds(file, "processor.send_overhead"), receive = seconds(file, "processor.receive_overhead");
  const double copy = seconds_per_byte(file.bandwidth("processor.copy_bandwidth")), byte = wire_byte(file);
  const double wire = wire_latency(file) + bytes(file, "messages.header_bytes") * byte;
  const Arrival arrival = arrival_of(file);
  const double way = wire + arrival.wait + arrival.work;
  mpi::CostModel costs;
  costs.message.eager = {send + way + receive, copy + byte};
  costs.message.asking = {send + 3 * way + receive, byte};
  costs.message.eager_limit = bytes(file, "messages.eager_limit");
  costs.between_sends = {send, copy};
  costs.between_receives = {receive + arrival.work, 0};
  costs.copy = {0, copy};
  costs.waiting_message = {0, copy};
  costs.combine = {0, combined_byte(file)};
  return costs;
}

}  // namespace hindcast
