// The commands of the hindcast binary, each registered by a function in a file of its own. A command that fails throws;
// main.cpp tells the user what() in one line and exits with a status other than 0.
#pragma once

#include <CLI/CLI.hpp>

namespace hindcast {

struct ProgramLine;

// What belongs to programs has been taken from the command line. A run ends the process with its own exit status.
void add_run_command(CLI::App& app, const ProgramLine& line);
void add_explain_command(CLI::App& app, const ProgramLine& line);
void add_compiler_commands(CLI::App& app);
void add_python_commands(CLI::App& app);
void add_check_command(CLI::App& app);
void add_collectives_command(CLI::App& app);
void add_machines_command(CLI::App& app);
void add_show_command(CLI::App& app);
void add_platform_command(CLI::App& app);

}  // namespace hindcast
