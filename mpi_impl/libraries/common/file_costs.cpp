#include "mpi_impl/libraries/common/file_costs.hpp"

#include <algorithm>

namespace hindcast::file_costs {

double seconds_per_byte(const Rate& rate) { return rate.time_for(1'000'000).in_seconds() / 1e6; }
double seconds(const MachineFile& file, std::string_view key) { return file.time(key).in_seconds(); }
double bytes(const MachineFile& file, std::string_view key) { return static_cast<double>(file.bytes(key).count()); }

double wire_byte(const MachineFile& file, const std::string& network) {
  const std::string link = network + ".link_bandwidth";
  const double port = seconds_per_byte(file.bandwidth(network + ".injection_bandwidth"));
  return file.has(link) ? std::max(seconds_per_byte(file.bandwidth(link)), port) : port;
}

Time share_at_sender(const MachineFile& file, const char* work, const char* percentage) {
  const std::int64_t percent = file.count(percentage);
  if (percent > 100) file.refuse(percentage, "must be 100 at most");
  return Time::ps(file.time(work).in_ps() * percent / 100);
}

// A network's figures have the keys of its topology.
double wire_latency(const MachineFile& file, const std::string& network) {
  const bool has_hops = file.has(network + ".hop_latency");
  return seconds(file, network + ".injection_latency") +
         seconds(file, network + (has_hops ? ".hop_latency" : ".switch_latency"));
}

double combined_byte(const MachineFile& file, const std::string& processor) {
  return seconds_per_byte(file.operation_rate(processor + ".combine_rate")) / 8;
}

}  // namespace hindcast::file_costs
