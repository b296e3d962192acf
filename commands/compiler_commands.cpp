// hindcast cc, c++ and fc in the list of commands. They never come here to be run: bin/hindcast starts the compiler
// itself.

#include "commands/commands.hpp"

namespace hindcast {

void add_compiler_commands(CLI::App& app) {
  app.add_subcommand("cc", "compile and link C programs, as hindcast-mpicc does: gcc, or what HINDCAST_CC says");
  app.add_subcommand("c++", "compile and link C++ programs, as hindcast-mpicxx does: g++, or what HINDCAST_CXX says");
  app.add_subcommand("fc",
                     "compile and link Fortran programs, as hindcast-mpifort does: gfortran, or what HINDCAST_FC says");
}

}  // namespace hindcast
