// hindcast show: every parameter of a machine, with its kind and source.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "commands/commands.hpp"
#include "simulator/machine/file/machine_search.hpp"

namespace hindcast {

namespace {

struct ShownRow {
  std::string key;
  std::string value;
  std::string kind;
  std::string source;
};

std::string source_and_limits(const MachineFile& file, const Parameter& parameter) {
  std::string text = shown_source(parameter);
  if (!parameter.set_by.empty()) return text;
  if (!parameter.range.empty())
    text += fmt::format(" ({} to {}{}{})", parameter.range[0], parameter.range[1], parameter.unit.empty() ? "" : " ",
                        parameter.unit);
  if (const auto choices = file.choices(parameter); !choices.empty())
    text += fmt::format(" (one of {})", fmt::join(choices, ", "));
  return text.starts_with(' ') ? text.substr(1) : text;  // without a source
}

ShownRow row_of(const MachineFile& file, const Parameter& parameter) {
  return {parameter.key, shown_value(parameter), shown_kind(parameter), source_and_limits(file, parameter)};
}

void show(const std::string& machine, const std::vector<std::string>& settings) {
  MachineFile file = load_machine(machine);
  for (const std::string& setting : settings) file.set(setting);
  std::vector<ShownRow> rows{{"PARAMETER", "VALUE", "KIND", "SOURCE"}};
  for (const Parameter& parameter : file.parameters()) rows.push_back(row_of(file, parameter));
  std::size_t key = 0, value = 0, kind = 0;
  for (const ShownRow& row : rows) {
    key = std::max(key, row.key.size());
    value = std::max(value, row.value.size());
    kind = std::max(kind, row.kind.size());
  }
  fmt::print("{}: {} ({})\n\n", file.name(), file.description(), file.path());
  for (const ShownRow& row : rows)
    fmt::print("{:{}}  {:>{}}  {:{}}  {}\n", row.key, key, row.value, value, row.kind, kind, row.source);
}

}  // namespace

void add_show_command(CLI::App& app) {
  struct Options {
    std::string machine;
    std::vector<std::string> settings;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("show", "show every parameter of a machine, and where it comes from");
  command->add_option("machine", options->machine, "a machine's name, or the path of its file")->required();
  command
      ->add_option("--set", options->settings,
                   "change a parameter: key=value, such as network.link_bandwidth='10 MB/s'")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("KEY=VALUE");
  command->callback([options] { show(options->machine, options->settings); });
}

}  // namespace hindcast
