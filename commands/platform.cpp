// hindcast platform: a machine as a SimGrid platform file.

#include <fmt/format.h>

#include <memory>

#include "commands/check/machine_check.hpp"
#include "commands/commands.hpp"
#include "commands/machine_options.hpp"
#include "commands/run/shorthands.hpp"
#include "commands/words/option_words.hpp"
#include "mpi_impl/libraries/common/library.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/machine/platform_xml.hpp"

namespace hindcast {

namespace {

struct PlatformOptions {
  std::string machine;
  std::vector<std::string> settings;
  int nodes = 0;
  bool xml = false;
  Shorthands shorthands;
};

std::string shown(const PlatformOptions& options) {
  std::string text;
  for (const std::string& option : options.shorthands) text += " " + option;
  for (const std::string& setting : options.settings) text += fmt::format(" --set '{}'", setting);
  return text;
}

// A torus whose extents are given is exported whole.
void refuse_a_part(const NodeRange& range, const PlatformOptions& options) {
  if (range.fixed.empty() || options.nodes == 0 || options.nodes >= range.most) return;
  throw std::invalid_argument(
      fmt::format("-n {}: the extents of {} are fixed, {}, which are {} nodes; leave -n out, or give others with --set "
                  "network.dimensions=...",
                  options.nodes, options.machine, range.fixed, range.most));
}

void write_platform(const PlatformOptions& options) {
  MachineFile file = load_machine(options.machine, options.settings);
  apply_shorthands(options.shorthands, file);
  check_machine(file);
  const NodeRange range = node_range(file);
  refuse_a_part(range, options);
  const int nodes = options.nodes > 0 ? options.nodes : range.usual;
  fmt::print("{}", platform_xml(file, nodes, library_of(file).parts_for(file), shown(options)));
}

}  // namespace

void add_platform_command(CLI::App& app) {
  auto options = std::make_shared<PlatformOptions>();
  CLI::App* command =
      app.add_subcommand("platform", "write a machine as a platform file for plain SimGrid and smpirun");
  command->add_option("machine", options->machine, "a machine's name, or the path of its file")->required();
  take_whole_number(
      *command->add_option("-n", options->nodes, "how many nodes; unless given, the machine's usual number"), 1);
  add_shorthands(*command, options->shorthands);
  command->add_flag("--xml", options->xml, "SimGrid's XML, version 4.1")->required();
  add_settings(*command, options->settings);
  command->callback([options] { write_platform(*options); });
}

}  // namespace hindcast
