// A script in a program's place. A program that libtool has built is one until it is installed.
#pragma once

#include <string>

#include "commands/run/program_line.hpp"

namespace hindcast {

// Whether the file begins as scripts do.
bool is_script(const std::string& path);

// If the first word of `line` names a script, starts that in the launcher's place. The script runs once, and each
// program that it starts runs with the options of this run.
void start_if_script(const ProgramLine& line, const std::string& working_directory);

// For what takes programs only: what `command` tells of is one run, and the programs of a run with several are one too.
void refuse_script(const std::string& command, const std::string& file, const std::string& working_directory);

}  // namespace hindcast
