// The part of a command line that belongs to programs: hindcast never looks at a program's own options.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace hindcast {

// PROGRAM ARGUMENTS [: OPTIONS PROGRAM ARGUMENTS] ...
struct ProgramLine {
  std::vector<std::string> options;               // the run's, before the program
  std::vector<std::string> first;                 // program and arguments
  std::vector<std::vector<std::string>> further;  // options, program and arguments
};

// The option of a run that a program has started by itself: all words after its name are its own, colons too.
inline constexpr const char* alone = "--alone";

// Moves everything from the program's name on, or after "--", out of `words`; and writes mpirun's spellings of
// `command`'s options (-np, -wdir) as CLI11 knows them. Throws std::invalid_argument if there is an option among them
// that CLI11 would take for another.
std::vector<std::string> take_program_words(const CLI::App& command, std::vector<std::string>& words);

ProgramLine take_program_line(const CLI::App& command, std::vector<std::string>& words);

}  // namespace hindcast
