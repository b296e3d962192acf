// hindcast show: every parameter of a machine, with its kind and source.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "commands/check/machine_check.hpp"
#include "commands/collectives/collective_choices.hpp"
#include "commands/commands.hpp"
#include "commands/machine_options.hpp"
#include "commands/terminal_width.hpp"
#include "simulator/machine/file/fingerprint.hpp"

namespace hindcast {

namespace {

struct ShownRow {
  std::string key;
  std::string value;
  std::vector<std::string> list;  // a value too long for its column, below the row
  std::string kind;
  std::string source;
};

std::string source_and_limits(const MachineFile& file, const Parameter& parameter) {
  std::string text = shown_source(parameter);
  if (!parameter.set_by.empty()) return text;
  if (!parameter.range.empty())
    text += fmt::format(
        " ({} to {}{}{}{})", parameter.range[0], parameter.range[1], parameter.unit.empty() ? "" : " ", parameter.unit,
        parameter.holds.empty()
            ? ""
            : fmt::format("; no claim changes its verdict from {} to {}", parameter.holds[0], parameter.holds[1]));
  if (const auto choices = file.choices(parameter); !choices.empty())
    text += fmt::format(" (one of {})", fmt::join(choices, ", "));
  return text.starts_with(' ') ? text.substr(1) : text;  // without a source
}

constexpr std::size_t value_width_max = 30;

ShownRow row_of(const MachineFile& file, const Parameter& parameter) {
  ShownRow row{parameter.key, shown_value(parameter), {}, shown_kind(parameter), source_and_limits(file, parameter)};
  const auto* list = std::get_if<std::vector<std::string>>(&parameter.value);
  if (list != nullptr && row.value.size() > value_width_max) {
    row.list = *list;
    row.value = fmt::format("{} rows", list->size());
  }
  return row;
}

void show(const std::string& machine, const std::vector<std::string>& settings) {
  const MachineFile file = load_machine(machine, settings);
  check_machine(file);
  std::vector<ShownRow> rows{{"PARAMETER", "VALUE", {}, "KIND", "SOURCE"}};
  for (const Parameter& parameter : file.parameters()) rows.push_back(row_of(file, parameter));
  std::size_t key = 0, value = 0, kind = 0;
  for (const ShownRow& row : rows) {
    key = std::max(key, row.key.size());
    value = std::max(value, row.value.size());
    kind = std::max(kind, row.kind.size());
  }
  fmt::print("{}: {} ({})\n\n", file.name(), file.description(), file.path());
  const std::size_t before_source = key + value + kind + 6;
  const std::size_t width = width_of_output();
  for (const ShownRow& row : rows) {
    fmt::print("{:{}}  {:>{}}  {:{}}  {}\n", row.key, key, row.value, value, row.kind, kind,
               wrapped(row.source, before_source, width));
    for (std::size_t i = 0; i < row.list.size(); ++i) fmt::print("    {}. {}\n", i + 1, row.list[i]);
  }
  if (const std::string note = note_on_collectives(file); !note.empty()) fmt::print("\n{}\n", note);
}

}  // namespace

void add_show_command(CLI::App& app) {
  struct Options {
    std::string machine;
    std::vector<std::string> settings;
    bool fingerprint = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("show", "show every parameter of a machine, and where it comes from");
  command->add_option("machine", options->machine, "a machine's name, or the path of its file")->required();
  add_settings(*command, options->settings);
  command->add_flag("--fingerprint", options->fingerprint,
                    "only a number, which is another one if a parameter has been added, taken out or changed");
  command->callback([options] {
    if (options->fingerprint)
      fmt::print("{}\n", fingerprint_of(load_machine(options->machine, options->settings)));
    else
      show(options->machine, options->settings);
  });
}

}  // namespace hindcast
