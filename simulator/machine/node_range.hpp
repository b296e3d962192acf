// How many nodes a machine has at most, and how many it is shown and exported with unless told otherwise.
#pragma once

#include <string>

#include "simulator/machine/file/machine_file.hpp"

namespace hindcast {

struct NodeRange {
  int most = 0;
  int usual = 0;
  std::string fixed = {};  // "16x8", if all that the machine can be is this
};
NodeRange node_range(const MachineFile& file);

}  // namespace hindcast
