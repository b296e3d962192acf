#include "commands/machine_options.hpp"

#include "simulator/machine/file/machine_search.hpp"

namespace hindcast {

void add_settings(CLI::App& command, std::vector<std::string>& settings) {
  command
      .add_option("--set", settings,
                  "change a parameter of the machine: key=value, such as network.link_bandwidth='10 MB/s'; several "
                  "times if need be")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
}

MachineFile load_machine(const std::string& name_or_path, const std::vector<std::string>& settings) {
  MachineFile file = load_machine(name_or_path);
  for (const std::string& setting : settings) file.set(setting);
  return file;
}

}  // namespace hindcast
