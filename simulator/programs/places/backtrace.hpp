// Where a program was: its functions and lines.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "simulator/programs/load/loader.hpp"
#include "simulator/programs/places/program_place.hpp"

namespace hindcast::programs {

// One line for each frame that lies in the rank's program or in its own libraries, innermost first. `frames` holds the
// faulting instruction, then return addresses.
std::vector<std::string> describe_frames(const Loader& loader, std::size_t slot, const std::vector<void*>& frames);

// "main (prog.c:12)" of the innermost return address that lies there, and not in Fortran's library; nothing if none
// does.
std::string describe_innermost(const Loader& loader, std::size_t slot, const std::vector<void*>& returns);

// The symbol of the function of ours that was called there: one of those that stand for it.
std::string name_of_function_called(const Loader& loader, std::size_t slot, const std::vector<void*>& returns);

// Nothing if the address lies in no file of the rank's.
std::optional<CodePlace> code_place(const Loader& loader, std::size_t slot, const void* code);

// "main (prog.c:12)" of the innermost function there: addr2line tells.
std::string describe_code(const CodePlace& place);

// A signal handler may ask.
bool is_in_program(const Loader& loader, std::size_t slot, const void* code);

}  // namespace hindcast::programs
