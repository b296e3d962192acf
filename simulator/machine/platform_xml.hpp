// A machine as a SimGrid platform file, for plain SimGrid and its smpirun.
#pragma once

#include <string>

#include "simulator/machine/file/machine_file.hpp"

namespace hindcast {

// With the computer beside the nodes or without.
std::string platform_xml(const MachineFile& file, int nodes, bool with_host = false);

}  // namespace hindcast
