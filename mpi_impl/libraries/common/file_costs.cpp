#include "mpi_impl/libraries/common/file_costs.hpp"

#include <algorithm>

namespace hindcast::file_costs {

double seconds_per_byte(const Rate& rate) { return rate.time_for(1'000'000).in_seconds() / 1e6; }
double seconds(const MachineFile& file, std::string_view key) { return file.time(key).in_seconds(); }
double bytes(const MachineFile& file, std::string_view key) { return static_cast<double>(file.bytes(key).count()); }

double wire_byte(const MachineFile& file) {
  return std::max(seconds_per_byte(file.bandwidth("network.link_bandwidth")),
                  seconds_per_byte(file.bandwidth("network.injection_bandwidth")));
}

double wire_latency(const MachineFile& file) {
  return seconds(file, "network.injection_latency") + seconds(file, "network.hop_latency");
}

double combined_byte(const MachineFile& file) {
  return seconds_per_byte(file.operation_rate("processor.combine_rate")) / 8;
}

}  // namespace hindcast::file_costs
