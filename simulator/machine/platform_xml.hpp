// A machine as a SimGrid platform file, for plain SimGrid and its smpirun.
#pragma once

#include <string>

#include "simulator/machine/file/machine_file.hpp"
#include "simulator/machine/parts.hpp"

namespace hindcast {

// `options` are those of the command that asked for it, besides the number of nodes, as " --fast".
std::string platform_xml(const MachineFile& file, int nodes, const PartsBesideNetwork& parts = {},
                         const std::string& options = {});

}  // namespace hindcast
