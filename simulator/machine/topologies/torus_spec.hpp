// The torus that a machine's file describes.
#pragma once

#include "simulator/machine/file/machine_file.hpp"
#include "simulator/simgrid/torus_platform.hpp"

namespace hindcast {

// For so many nodes.
TorusSpec read_torus(const MachineFile& file, int nodes_used, bool with_host = false);

}  // namespace hindcast
