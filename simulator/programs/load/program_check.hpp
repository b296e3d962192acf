// Finding a program, and refusing one that could not run, with what would be right.
#pragma once

#include <string>

#include "simulator/programs/load/elf_image.hpp"

namespace hindcast::programs {

// As a shell finds it: a name with a slash is a path, another is looked for in PATH; then either is looked for in the
// directory that the program is to run in. Throws ProgramError.
std::string find_program(const std::string& name, const std::string& working_directory);

// Throws ProgramError unless hindcast-mpicc has linked it.
void check_program(const ElfImage& program);

// Whether this process's executable is linked with the library, and has not opened it later, as an interpreter does.
bool is_executable_linked_with_library();

// All of its file, in which the names of the functions are that it calls.
std::string bytes_of_program(const std::string& path);

}  // namespace hindcast::programs
