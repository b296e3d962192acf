// hindcast platform: a machine as a SimGrid platform file.

#include <fmt/format.h>

#include <memory>

#include "commands/commands.hpp"
#include "commands/run/shorthands.hpp"
#include "mpi_impl/libraries/common/library.hpp"
#include "simulator/machine/file/machine_search.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/machine/platform_xml.hpp"

namespace hindcast {

namespace {

struct Options {
  std::string machine;
  std::vector<std::string> settings;
  int nodes = 0;
  bool xml = false;
  Shorthands shorthands;
};

std::string shown(const Shorthands& shorthands) {
  std::string text;
  for (const std::string& option : shorthands) text += " " + option;
  return text;
}

void write_platform(const Options& options) {
  MachineFile file = load_machine(options.machine);
  for (const std::string& setting : options.settings) file.set(setting);
  apply_shorthands(options.shorthands, file);
  const int nodes = options.nodes > 0 ? options.nodes : node_range(file).usual;
  fmt::print("{}", platform_xml(file, nodes, library_of(file).parts_for(file), shown(options.shorthands)));
}

}  // namespace

void add_platform_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("platform", "write a machine as a platform file for plain SimGrid and smpirun");
  command->add_option("machine", options->machine, "a machine's name, or the path of its file")->required();
  command->add_option("-n", options->nodes, "how many nodes; unless given, the machine's usual number")
      ->check(CLI::PositiveNumber);
  add_shorthands(*command, options->shorthands);
  command->add_flag("--xml", options->xml, "SimGrid's XML, version 4.1")->required();
  command
      ->add_option("--set", options->settings,
                   "change a parameter: key=value, such as network.link_bandwidth='10 MB/s'")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("KEY=VALUE");
  command->callback([options] { write_platform(*options); });
}

}  // namespace hindcast
