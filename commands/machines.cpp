// hindcast machines: what can be run on.

#include <fmt/format.h>

#include <algorithm>

#include "commands/commands.hpp"
#include "simulator/machine/file/machine_search.hpp"
#include "simulator/machine/machine.hpp"

namespace hindcast {

namespace {

void list_machines() {
  std::vector<MachineFile> machines;
  for (const std::string& path : machine_paths()) machines.push_back(MachineFile::load(path));
  std::size_t width = 0;
  for (const MachineFile& machine : machines) width = std::max(width, machine.name().size());
  for (const MachineFile& machine : machines)
    fmt::print("{:{}}  {:>15}  {}\n", machine.name(), width, fmt::format("1-{} nodes", node_range(machine).most),
               machine.description());
}

}  // namespace

void add_machines_command(CLI::App& app) {
  app.add_subcommand("machines", "list the machines that programs can be run on")->callback(list_machines);
}

}  // namespace hindcast
