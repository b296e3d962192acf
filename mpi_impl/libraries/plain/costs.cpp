#include "mpi_impl/libraries/plain/costs.hpp"

#include "mpi_impl/libraries/common/file_costs.hpp"

namespace hindcast {

using namespace file_costs;

mpi::CostModel plain_costs(const MachineFile& file, int) {
  const double send = seconds(file, "processor.send_overhead"), receive = seconds(file, "processor.receive_overhead");
  const double copy = seconds_per_byte(file.bandwidth("processor.copy_bandwidth")), byte = wire_byte(file);
  const double wire = wire_latency(file) + bytes(file, "messages.header_bytes") * byte;
  mpi::CostModel costs;
  costs.message.eager = {send + wire + receive, copy + byte};
  costs.message.asking = {send + 3 * wire + receive, byte};
  costs.message.eager_limit = bytes(file, "messages.eager_limit");
  costs.between_sends = {send, copy};
  costs.between_receives = {receive, 0};
  costs.copy = {0, copy};
  costs.waiting_message = {0, copy};
  costs.combine = {0, combined_byte(file)};
  return costs;
}

}  // namespace hindcast
