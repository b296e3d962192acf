// Whether programs can be run on the machine that a file describes.
#pragma once

#include <string>

#include "simulator/machine/file/machine_file.hpp"

namespace hindcast {

// Of a run that is to be checked too, if it has any.
struct RanksOfRun {
  int ranks = 0;
  std::string map;  // as `--map` has it; the machine's usual one if it is empty
};

// Builds the machine and starts its library as a run would: on those ranks, or on ranks of each kind of pair. Throws
// MachineFileError if the file is wrong, and std::invalid_argument if there is no room for the ranks.
void check_machine(const MachineFile& file, const RanksOfRun& run = {});

}  // namespace hindcast
