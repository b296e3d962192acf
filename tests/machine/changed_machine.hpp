// Machines of platforms/ with some of their keys changed, and what the platform says of them.
#pragma once

#include <string>
#include <vector>

#include "simulator/machine/file/machine_file.hpp"

namespace hindcast::test {

MachineFile changed(const std::string& machine, const std::vector<std::string>& settings);

// The machine's file, with some of its text replaced: shown as "mine.toml".
struct Replacement {
  std::string from;
  std::string to;
};
MachineFile rewritten(const std::string& machine, const std::vector<Replacement>& replacements);

struct Route {
  std::vector<std::string> links;
  double latency = 0;
};
Route route_to(const std::string& from, const std::string& to);  // SimGrid's, by the names of hosts

}  // namespace hindcast::test
