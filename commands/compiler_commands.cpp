// hindcast cc and c++ in the list of commands. They never come here to be run: bin/hindcast starts the compiler itself.

#include "commands/commands.hpp"

namespace hindcast {

void add_compiler_commands(CLI::App& app) {
  app.add_subcommand("cc", "compile and link C programs, as hindcast-mpicc does: gcc, or what HINDCAST_CC says");
  app.add_subcommand("c++", "compile and link C++ programs, as hindcast-mpicxx does: g++, or what HINDCAST_CXX says");
}

}  // namespace hindcast
