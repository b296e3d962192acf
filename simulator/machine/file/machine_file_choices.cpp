// What can be chosen for a key, and whether it is.
#include <fmt/format.h>

#include <algorithm>

#include "simulator/machine/file/machine_file.hpp"
#include "simulator/machine/file/program_choices.hpp"

namespace hindcast {

std::string MachineFile::choice(std::string_view key, const std::vector<std::string>& allowed) const {
  const Parameter& parameter = find(key, fmt::format("one of {}", fmt::join(allowed, ", ")));
  if (std::holds_alternative<std::string>(parameter.value)) refuse_without_choices(parameter, allowed);
  refuse_unless_one_of(parameter, allowed);
  for (const std::string& name : parameter.one_of)
    if (std::ranges::find(allowed, name) == allowed.end())
      refuse(parameter, fmt::format("one_of has '{}', which is not one of {}", name, fmt::join(allowed, ", ")));
  return std::get<std::string>(parameter.value);
}

void MachineFile::refuse_unless_one_of(const Parameter& parameter, const std::vector<std::string>& allowed) const {
  const auto* text = std::get_if<std::string>(&parameter.value);
  if (text == nullptr || std::ranges::find(allowed, *text) == allowed.end())
    refuse(parameter, fmt::format("'{}' is not one of {}", shown_value(parameter), fmt::join(allowed, ", ")));
}

void MachineFile::refuse_without_choices(const Parameter& parameter, const std::vector<std::string>& allowed) const {
  if (!choices(parameter).empty()) return;
  if (const std::string sort = NamedTables::referred_to_by(parameter.key); !sort.empty())
    refuse(parameter, fmt::format("there is no [[{}]] in this file", sort));
  refuse(parameter,
         fmt::format("one_of is missing: what else could be chosen? There are {}", fmt::join(allowed, ", ")));
}

std::vector<std::string> MachineFile::choices(const Parameter& parameter) const {
  if (!parameter.one_of.empty() || !std::holds_alternative<std::string>(parameter.value)) return parameter.one_of;
  if (const std::string sort = NamedTables::referred_to_by(parameter.key); !sort.empty()) return tables_.names(sort);
  const auto library = std::find_if(parameters_.begin(), parameters_.end(),
                                    [](const Parameter& other) { return other.key == "messages.library"; });
  if (library == parameters_.end()) return {};
  for (const ProgramChoices& choices : Rows<ProgramChoices>())
    if (choices.key == parameter.key && choices.library == shown_value(*library)) return choices.names();
  return {};
}

std::optional<std::vector<std::int64_t>> MachineFile::extents(std::string_view key,
                                                              const std::vector<std::string>& words) const {
  const Parameter& parameter = find(key, fmt::format("'{}' or a list such as [16, 8]", fmt::join(words, "', '")));
  const auto* text = std::get_if<std::string>(&parameter.value);
  if (text != nullptr && std::find(words.begin(), words.end(), *text) != words.end()) return std::nullopt;
  const auto* list = std::get_if<std::vector<std::int64_t>>(&parameter.value);
  if (list == nullptr || list->empty())
    refuse(parameter, fmt::format("'{}' is neither '{}' nor a list such as [16, 8]", shown_value(parameter),
                                  fmt::join(words, "' nor '")));
  for (const std::int64_t extent : *list)
    if (extent < 1) refuse(parameter, fmt::format("{} is not at least 1", extent));
  return *list;
}

std::vector<std::string> MachineFile::texts(std::string_view key) const {
  const Parameter& parameter = find(key, "a list of texts");
  const auto* list = std::get_if<std::vector<std::string>>(&parameter.value);
  if (list == nullptr) refuse(parameter, fmt::format("'{}' is not a list of texts", shown_value(parameter)));
  return *list;
}

}  // namespace hindcast
