// Where a program was: its functions and lines.
#pragma once

#include <string>
#include <vector>

#include "simulator/programs/load/loader.hpp"

namespace hindcast::programs {

// One line for each frame that lies in the rank's program or in its own libraries, innermost first. `frames` holds the
// faulting instruction, then return addresses.
std::vector<std::string> describe_frames(const Loader& loader, std::size_t slot, const std::vector<void*>& frames);

}  // namespace hindcast::programs
