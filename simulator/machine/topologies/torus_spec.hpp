// The torus that a machine's file describes.
#pragma once

#include <string>

#include "simulator/machine/file/machine_file.hpp"
#include "simulator/machine/parts.hpp"
#include "simulator/simgrid/torus_platform.hpp"

namespace hindcast {

// For so many nodes.
TorusSpec read_torus(const MachineFile& file, int nodes_used, const PartsBesideNetwork& parts = {});

// Names in the SimGrid platform that follow from the table which describes the front end.
std::string host_name_of_front_end(const std::string& machine, const std::string& table);
std::string line_of_front_end(const std::string& table);

}  // namespace hindcast
