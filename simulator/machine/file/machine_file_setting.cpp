// What --set does: a parameter gets another value, under the checks that hold for the file.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "simulator/machine/file/machine_file.hpp"
#include "simulator/machine/file/nearest_name.hpp"
#include "simulator/machine/file/trimmed.hpp"

namespace hindcast {

namespace {

// "16x8", "[16, 8]" or "16"; nothing if it is something else.
std::optional<std::vector<std::int64_t>> parse_extents(std::string_view text) {
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']') text = text.substr(1, text.size() - 2);
  std::vector<std::int64_t> extents;
  for (;;) {
    const std::size_t end = text.find_first_of("x,");
    const std::string_view item = trimmed(text.substr(0, end));
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(item.data(), item.data() + item.size(), number);
    if (error != std::errc() || stop != item.data() + item.size()) return std::nullopt;
    extents.push_back(number);
    if (end == std::string_view::npos) return extents;
    text.remove_prefix(end + 1);
  }
}

void set_text(Parameter& parameter, std::string_view text, const std::vector<std::string>& choices,
              const std::string& where) {
  if (parameter.unit.empty())
    if (auto extents = parse_extents(text)) {
      parameter.value = *extents;
      return;
    }
  const bool is_any_text = choices.empty() && std::holds_alternative<std::string>(parameter.value);
  if (!is_any_text && std::find(choices.begin(), choices.end(), text) == choices.end())
    throw MachineFileError(choices.empty()
                               ? fmt::format("{}: '{}' is not a list such as 16x8", where, text)
                               : fmt::format("{}: '{}' is not one of {}", where, text, fmt::join(choices, ", ")));
  parameter.value = std::string(text);
}

void set_texts(Parameter& parameter, std::string_view text) {
  std::vector<std::string> texts;
  for (;;) {
    const std::size_t comma = text.find(',');
    texts.emplace_back(trimmed(text.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  parameter.value = texts;
}

// The file may say how fast bytes go by either: a bandwidth, or a time for each byte.
bool is_pace(std::string_view unit) { return measure_the_same(unit, "B/s") || measure_the_same(unit, "ns/B"); }

bool can_be_in(std::string_view unit, const Parameter& parameter) {
  return measure_the_same(unit, parameter.unit) || (is_pace(unit) && is_pace(parameter.unit));
}

void set_number(Parameter& parameter, std::string_view text, const std::string& where) {
  const auto number = split_number_and_unit(text);
  if (!number || !std::isfinite(number->first))
    throw MachineFileError(
        fmt::format("{}: '{}' is not a number{}", where, text,
                    parameter.unit.empty() ? "" : fmt::format(" with a unit, such as {}", shown_value(parameter))));
  if (!number->second.empty() && !can_be_in(number->second, parameter))
    throw MachineFileError(parameter.unit.empty() ? fmt::format("{}: this number has no unit", where)
                                                  : fmt::format("{}: '{}' is no unit of this number, which is in {}",
                                                                where, number->second, parameter.unit));
  if (number->first < 0) throw MachineFileError(fmt::format("{}: {} is negative", where, text));
  parameter.value = number->first;
  if (!number->second.empty()) parameter.unit = number->second;
}

// Of keys none of which is spelt much like it, the first that ends like it, such as method.memory.latency for
// method.latency; or the model of the first table below it.
std::string meant_by(std::string_view key, const std::vector<Parameter>& parameters) {
  std::vector<std::string> keys;
  for (const Parameter& parameter : parameters) keys.push_back(parameter.key);
  if (std::string nearest = nearest_name(key, keys); !nearest.empty()) return nearest;
  const std::string ending = fmt::format(".{}", key.substr(key.rfind('.') + 1));
  const std::string table = fmt::format("{}.", key);
  const auto is_meant = [&](const std::string& other) {
    return other.ends_with(ending) || (other.starts_with(table) && other.ends_with(".model"));
  };
  const auto found = std::find_if(keys.begin(), keys.end(), is_meant);
  return found == keys.end() ? "" : *found;
}

}  // namespace

void MachineFile::set(std::string_view assignment) {
  const std::string where = fmt::format("--set {}", assignment);
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || trimmed(assignment.substr(equals + 1)).empty())
    throw MachineFileError(where + ": a parameter is set by key=value, such as network.link_bandwidth='10 MB/s'");
  const std::string_view key = trimmed(assignment.substr(0, equals));
  const std::string model_of_table = fmt::format("{}.model", key);
  const auto found = std::find_if(parameters_.begin(), parameters_.end(), [&](const Parameter& other) {
    return other.key == key || other.key == model_of_table;
  });
  if (found == parameters_.end()) {
    const std::string meant = meant_by(key, parameters_);
    // Of several machines that a command is for, the one that has no such key is named, too.
    const std::string where_all_are = fmt::format("'hindcast show {}' lists them", asked_for_);
    throw MachineFileError(meant.empty()
                               ? fmt::format("{}: unknown key; {}", where, where_all_are)
                               : fmt::format("{}: unknown key, did you mean '{}'? ({})", where, meant, where_all_are));
  }
  const std::string_view value = trimmed(assignment.substr(equals + 1));
  if (std::holds_alternative<double>(found->value))
    set_number(*found, value, where);
  else if (std::holds_alternative<std::vector<std::string>>(found->value))
    set_texts(*found, value);
  else
    set_text(*found, value, choices(*found), where);
  found->set_by = assignment;
}

}  // namespace hindcast
