#include "commands/collectives/collective_choices.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hindcast {

mpi::CollectiveChoices collective_choices(const MachineFile& file, const std::vector<std::string>& forced) {
  mpi::CollectiveChoices choices;
  for (int i = 0; i < mpi::collective_operations; ++i) {
    const auto operation = static_cast<mpi::CollectiveOperation>(i);
    const std::string key = fmt::format("collectives.{}", mpi::name_of(operation));
    if (!file.has(key)) continue;
    for (const std::string& row : file.texts(key)) {
      try {
        choices.add_rule(operation, row);
      } catch (const mpi::ChoiceError& error) {
        file.refuse(key, fmt::format("{}: {}", row, error.what()));
      }
    }
  }
  for (const std::string& text : forced) {
    try {
      choices.force(text);
    } catch (const mpi::ChoiceError& error) {
      throw mpi::ChoiceError(fmt::format("--coll {}: {}", text, error.what()));
    }
  }
  return choices;
}

std::string note_on_collectives(const MachineFile& file) {
  const bool has_table = std::any_of(file.parameters().begin(), file.parameters().end(),
                                     [](const Parameter& one) { return one.key.starts_with("collectives."); });
  if (has_table) return {};
  return fmt::format(
      "there is no table [collectives]: the first algorithm that can serve is taken ('hindcast "
      "collectives -m {}' lists them)",
      file.path());
}

}  // namespace hindcast
