// What a machine has beside its network, as links and hosts of the platform.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulator/machine/file/machine_file.hpp"
#include "simulator/machine/parts.hpp"
#include "simulator/simgrid/platform.hpp"

namespace hindcast {

// A computer beside the nodes, and its line to a broadcast bus.
struct FrontEndSpec {
  std::string node_name;  // SimGrid's
  FlopRate flop_rate;
  PlatformLink line;
  std::string bus;  // a special link
};

// Names are those in the machine's file; SimGrid's have the machine's before them.
struct SpecialParts {
  std::vector<PlatformLink> links;  // each of a network that joins all nodes
  std::optional<FrontEndSpec> front_end;
};

SpecialParts read_special_parts(const MachineFile& file, const PartsBesideNetwork& parts);

// Names in the platform that follow from the table which describes the front end.
std::string node_name_of_front_end(const std::string& machine, const std::string& table);
std::string line_of_front_end(const std::string& table);

}  // namespace hindcast
