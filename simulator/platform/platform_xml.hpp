// A machine as a SimGrid platform file, for plain SimGrid and its smpirun.
#pragma once

#include <string>

#include "simulator/platform/machine_file.hpp"

namespace hindcast {

std::string platform_xml(const MachineFile& file, int nodes);

}  // namespace hindcast
