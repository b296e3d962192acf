// Whether a machine has room for the ranks of a run, and on which nodes.
#pragma once

#include <string>
#include <vector>

#include "mpi_impl/libraries/common/library.hpp"
#include "simulator/machine/file/machine_file.hpp"

namespace hindcast {

// The nodes of so many ranks, placed as `--map` has it, or as is usual on the machine if that is empty; without the one
// that is the front end, if the first rank is there. Throws std::invalid_argument if there are too few nodes, with what
// would help on a machine of this library.
std::vector<int> nodes_for_ranks(const MachineFile& file, const PartsBesideNetwork& parts, const std::string& map,
                                 int ranks);

// Throws std::invalid_argument if two ranks are on a node where the library has room for one.
void refuse_shared_nodes(const RunningLibrary& library, const std::vector<int>& nodes);

}  // namespace hindcast
