// Options of commands that are short for a key of the machine's file, as libraries bring them along.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "simulator/machine/file/machine_file.hpp"

namespace hindcast {

using Shorthands = std::vector<std::string>;  // those that were given: "--host"

// `given` must live until the command line has been read.
void add_shorthands(CLI::App& command, Shorthands& given);

// Sets their keys. Throws std::invalid_argument if the machine has no such key.
void apply_shorthands(const Shorthands& given, MachineFile& file);

}  // namespace hindcast
