#include "mpi_impl/libraries/ap3000/costs.hpp"

#include <algorithm>
#include <limits>

#include "mpi_impl/libraries/ap3000/mpi/group_operations.hpp"
#include "mpi_impl/libraries/common/file_costs.hpp"

namespace hindcast {

using namespace file_costs;

Time mpi_work_at_sender(const MachineFile& file) {
  return share_at_sender(file, "mpi.overhead", "mpi.percent_at_sender");
}

mpi::CostModel ap3000_costs(const MachineFile& file, int) {
  const double at_sender = mpi_work_at_sender(file).in_seconds();
  const double send = at_sender + seconds(file, "ap3000.send_overhead");
  const double receive = seconds(file, "mpi.overhead") - at_sender + seconds(file, "ap3000.receive_overhead");
  const double byte = std::max(wire_byte(file), seconds_per_byte(file.bandwidth("sbus.bandwidth")));
  const double header = bytes(file, "ap3000.header_bytes") * byte;
  const double copy = seconds_per_byte(file.bandwidth("processor.copy_bandwidth"));
  mpi::CostModel costs;
  costs.message.eager = {send + wire_latency(file) + header + receive, byte + copy};
  costs.message.eager_limit = std::numeric_limits<double>::infinity();
  costs.between_sends = {send + header, byte};
  costs.between_receives = {receive, copy};
  costs.copy = {0, copy};
  costs.combine = {0, combined_byte(file)};
  costs.offers.own = mpi::calls_of_mpi_ap;
  costs.own["P"] = {seconds(file, "mpi.overhead"), 0};
  return costs;
}

}  // namespace hindcast
