#include "mpi_impl/libraries/mpich/costs.hpp"

#include <algorithm>

#include "mpi_impl/libraries/common/file_costs.hpp"
#include "simulator/machine/node_kind.hpp"
#include "simulator/machine/site.hpp"

namespace hindcast {

using namespace file_costs;

// Of MPICH on MPL, at the first site. A receive is posted before its message comes.
mpi::CostModel mpich_costs(const MachineFile& file, int) {
  const double own_send = share_at_sender(file, "mpi.overhead", "mpi.percent_at_sender").in_seconds();
  const double call = share_at_sender(file, "mpl.overhead", "mpl.percent_at_sender").in_seconds();
  const double send = own_send + call;
  const double receive = seconds(file, "mpi.overhead") + seconds(file, "mpl.overhead") - send;
  const double set_up = seconds(file, "mpl.long_set_up"), post = seconds(file, "mpl.post_overhead");
  const Site site = read_sites(file).front();
  const std::string network = site.network_prefix;
  const std::string processor = read_node_kinds(file)[static_cast<std::size_t>(site.kind_of(site.first_node))].prefix;
  const double byte = wire_byte(file, network), wire = wire_latency(file, network);
  const double header = (bytes(file, "mpi.header_bytes") + bytes(file, "mpl.header_bytes")) * byte;
  const double copy = seconds_per_byte(file.bandwidth(processor + ".copy_bandwidth"));
  const double second = bytes(file, "mpl.header_bytes") * byte;
  mpi::CostModel costs;
  costs.message.eager = {send + set_up + wire + header + receive, byte + 2 * copy};
  costs.message.eager_limit = bytes(file, "mpi.in_one_max");
  // The data leaves a call after its envelope, and ends in a receive of its own.
  costs.message.asking = {send + call + set_up + wire + second + receive, byte};
  costs.between_sends = {send + header, byte + copy};
  costs.between_receives = {post + receive, copy};
  costs.copy = {0, copy};
  costs.waiting_message = {0, 2 * copy};
  costs.combine = {0, combined_byte(file, processor)};
  return costs;
}

}  // namespace hindcast
