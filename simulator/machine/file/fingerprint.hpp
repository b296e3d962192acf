// A number by which a machine's file is known again: another one if a parameter has been added, taken out or given
// another value. What people read in it, such as sources, does not count.
#pragma once

#include <cstdint>

#include "simulator/machine/file/machine_file.hpp"

namespace hindcast {

std::uint32_t fingerprint_of(const MachineFile& file);

}  // namespace hindcast
