#include "commands/collectives/collective_choices.hpp"

#include <fmt/format.h>

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

}  // namespace hindcast
