// What cost models of collectives take from a machine's file, in seconds and seconds a byte.
#pragma once

#include <string>
#include <string_view>

#include "simulator/machine/file/machine_file.hpp"

namespace hindcast::file_costs {

double seconds_per_byte(const Rate& rate);
double seconds(const MachineFile& file, std::string_view key);
double bytes(const MachineFile& file, std::string_view key);

// What the sender has of the time `work` that both ends of a message take together, by the key of its percentage.
Time share_at_sender(const MachineFile& file, const char* work, const char* percentage);

// Between two neighbouring nodes, with nobody else's traffic.
double wire_byte(const MachineFile& file, const std::string& network = "network");
double wire_latency(const MachineFile& file, const std::string& network = "network");

// Of an operation of a reduction, for each byte of elements of 8 bytes.
double combined_byte(const MachineFile& file, const std::string& processor = "processor");

}  // namespace hindcast::file_costs
