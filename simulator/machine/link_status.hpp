// What is known of the links between sites when a run begins: what has been entered, and what is true.
#pragma once

#include <string>

#include "simulator/machine/file/machine_file.hpp"

namespace hindcast {

// `prefix` is the link's in the file, as "link.west".
bool works(const MachineFile& file, const std::string& prefix);

// Whether a run finds ways over it: not if it has been entered as down, nor if it does not work and the machine falls
// back on other links by itself (`machine.fallback`).
bool is_taken(const MachineFile& file, const std::string& prefix);

}  // namespace hindcast
