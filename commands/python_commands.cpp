// The commands that are written in Python, in the list of commands. They never come here to be run: bin/hindcast starts
// Python.

#include "commands/commands.hpp"

namespace hindcast {

void add_python_commands(CLI::App& app) {
  app.add_subcommand("compare", "the times of one operation on several machines, or in several ways");
  app.add_subcommand("sweep", "run a program with all combinations of machines, ranks, parameters and arguments");
  app.add_subcommand("experiment", "list and run experiments: results, figures, claims (list, run NAME)");
  app.add_subcommand("score", "the claims of all experiments: published, simulated, calibrated or predicted");
  app.add_subcommand("uncertainty", "how sure a machine's results are: its uncertain parameters drawn at once");
  app.add_subcommand("calibrate", "fit a machine's parameters to claims, or to times that were measured");
}

}  // namespace hindcast
