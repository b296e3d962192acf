// How many nodes a machine has at most, and how many it is shown and exported with unless told otherwise.
#pragma once

#include "simulator/machine/file/machine_file.hpp"

namespace hindcast {

struct NodeRange {
  int most = 0;
  int usual = 0;
};
NodeRange node_range(const MachineFile& file);

}  // namespace hindcast
