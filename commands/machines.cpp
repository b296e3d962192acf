// hindcast machines: what can be run on.

#include <fmt/format.h>

#include <algorithm>

#include "commands/commands.hpp"
#include "simulator/machine/file/machine_search.hpp"
#include "simulator/machine/machine.hpp"

namespace hindcast {

namespace {

struct ListedMachine {
  std::string name;
  std::string nodes;
  std::string description;
};

// A file that cannot be read is told of behind the others.
void list_machines() {
  std::vector<ListedMachine> rows;
  std::vector<std::string> problems;
  for (const std::string& path : machine_paths()) {
    try {
      const MachineFile machine = MachineFile::load(path);
      rows.push_back({machine.name(), fmt::format("1-{} nodes", node_range(machine).most), machine.description()});
    } catch (const MachineFileError& error) {
      problems.emplace_back(error.what());
    }
  }
  std::size_t width = 0;
  for (const ListedMachine& row : rows) width = std::max(width, row.name.size());
  for (const ListedMachine& row : rows) fmt::print("{:{}}  {:>15}  {}\n", row.name, width, row.nodes, row.description);
  std::fflush(stdout);
  for (const std::string& problem : problems) fmt::print(stderr, "hindcast: left out: {}\n", problem);
  if (!problems.empty()) throw CLI::RuntimeError(1);
}

}  // namespace

void add_machines_command(CLI::App& app) {
  app.add_subcommand("machines", "list the machines that programs can be run on")->callback(list_machines);
}

}  // namespace hindcast
