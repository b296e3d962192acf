// Where machines are found: in $HINDCAST_PLATFORMS (directories separated by colons), in the `platforms` directory that
// belongs to this build or installation, or in a file whose path is given.
#pragma once

#include <string>
#include <vector>

#include "simulator/machine/file/machine_file.hpp"

namespace hindcast {

std::vector<std::string> machine_directories();

// The files of all machines, by name; the first directory that has a name wins.
std::vector<std::string> machine_paths();

// By name ("ideal") or by path (ends in .toml).
MachineFile load_machine(const std::string& name_or_path);

}  // namespace hindcast
