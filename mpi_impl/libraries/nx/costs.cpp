#include "mpi_impl/libraries/nx/costs.hpp"

#include <limits>

#include "mpi_impl/libraries/common/file_costs.hpp"

namespace hindcast {

using namespace file_costs;

mpi::CostModel nx_costs(const MachineFile& file, int) {
  const double own = seconds(file, "mpi.overhead");
  const double send = own + seconds(file, "nx.send_overhead"), receive = own + seconds(file, "nx.receive_overhead");
  const double byte = wire_byte(file), header = bytes(file, "nx.header_bytes") * byte;
  const double copy_out = seconds_per_byte(file.bandwidth("nx.copy_bandwidth"));
  mpi::CostModel costs;
  // A receive is posted before its message comes, so that only the wire comes between the two calls.
  costs.message.eager = {send + wire_latency(file) + header, byte};
  costs.message.eager_limit = std::numeric_limits<double>::infinity();
  costs.between_sends = {send + header, byte};
  costs.between_receives = {receive, copy_out};
  costs.copy = {0, seconds_per_byte(file.bandwidth("processor.copy_bandwidth"))};
  costs.waiting_message = {receive, copy_out};
  costs.combine = {0, combined_byte(file)};
  return costs;
}

}  // namespace hindcast
