// Whether programs can be run on the machine that a file describes.
#pragma once

#include "simulator/machine/file/machine_file.hpp"

namespace hindcast {

// Builds the machine and starts its library on ranks of each kind of pair, as a run would. Throws MachineFileError if
// the file is wrong.
void check_machine(const MachineFile& file);

}  // namespace hindcast
