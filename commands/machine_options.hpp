// What commands about a machine share: its file with the changes that were asked for.
#pragma once

#include <CLI/CLI.hpp>

#include "simulator/machine/file/machine_file.hpp"

namespace hindcast {

// --set KEY=VALUE, which takes one word, so that another may follow.
void add_settings(CLI::App& command, std::vector<std::string>& settings);

MachineFile load_machine(const std::string& name_or_path, const std::vector<std::string>& settings);

}  // namespace hindcast
