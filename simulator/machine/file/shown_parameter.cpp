// Parameters as people read them.
#include <fmt/format.h>

#include "simulator/machine/file/machine_file.hpp"

namespace hindcast {

std::string shown_value(const Parameter& parameter) {
  if (const auto* text = std::get_if<std::string>(&parameter.value)) return *text;
  if (const auto* list = std::get_if<std::vector<std::int64_t>>(&parameter.value))
    return fmt::format("{}", fmt::join(*list, "x"));
  if (const auto* list = std::get_if<std::vector<std::string>>(&parameter.value))
    return fmt::format("{}", fmt::join(*list, ", "));
  const double number = std::get<double>(parameter.value);
  return parameter.unit.empty() ? fmt::format("{}", number) : fmt::format("{} {}", number, parameter.unit);
}

std::string shown_kind(const Parameter& parameter) { return parameter.set_by.empty() ? parameter.kind : "set"; }

std::string shown_source(const Parameter& parameter) {
  if (!parameter.set_by.empty()) return fmt::format("--set {}", parameter.set_by);
  return parameter.fits.empty() ? parameter.source : fmt::format("{} (fitted to {})", parameter.source, parameter.fits);
}

}  // namespace hindcast
