// A key that a part asks for and the file has not got: what whoever writes the file is told.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "simulator/machine/file/machine_file.hpp"
#include "simulator/machine/file/machine_search.hpp"
#include "simulator/machine/file/nearest_name.hpp"

namespace hindcast {

namespace {

std::string_view table_of(std::string_view key) {
  const std::size_t dot = key.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : key.substr(0, dot);
}

std::string_view leaf_of(std::string_view key) {
  const std::size_t dot = key.rfind('.');
  return dot == std::string_view::npos ? key : key.substr(dot + 1);
}

std::string value_in_toml(const Parameter& parameter) {
  if (std::holds_alternative<std::vector<std::int64_t>>(parameter.value))
    return fmt::format("[{}]", fmt::join(std::get<std::vector<std::int64_t>>(parameter.value), ", "));
  if (std::holds_alternative<std::vector<std::string>>(parameter.value))
    return fmt::format("[\"{}\"]", fmt::join(std::get<std::vector<std::string>>(parameter.value), "\", \""));
  if (const auto* text = std::get_if<std::string>(&parameter.value))
    return fmt::format(
        "\"{}\"{}", *text,
        parameter.one_of.empty() ? "" : fmt::format(", one_of = [\"{}\"]", fmt::join(parameter.one_of, "\", \"")));
  return fmt::format("{}{}", std::get<double>(parameter.value),
                     parameter.unit.empty() ? "" : fmt::format(", unit = \"{}\"", parameter.unit));
}

std::string library_in(const MachineFile& file) {
  for (const Parameter& parameter : file.parameters())
    if (parameter.key == "messages.library") return shown_value(parameter);
  return {};
}

// The same key of tables of one sort with other names, such as "node.thin.poll" and "node.smp.poll".
bool are_of_one_sort(std::string_view a, std::string_view b) {
  const auto has_name = [](std::string_view key) { return key.find('.') != key.rfind('.'); };
  return has_name(a) && has_name(b) && leaf_of(a) == leaf_of(b) && a.substr(0, a.find('.')) == b.substr(0, b.find('.'));
}

// A line for the file, with the value of another machine; nothing if none has the key. One with the same library is
// asked first.
std::string line_to_begin_with(const MachineFile& file, std::string_view key) {
  std::string line;
  for (const std::string& path : machine_paths()) {
    try {
      const MachineFile other = MachineFile::load(path);
      const bool is_alike = library_in(other) == library_in(file);
      if (!line.empty() && !is_alike) continue;
      for (const Parameter& parameter : other.parameters()) {
        if (parameter.key != key && !are_of_one_sort(parameter.key, key)) continue;
        line = fmt::format("{} = {{ value = {}, kind = \"invented\" }}, as {} has", leaf_of(key),
                           value_in_toml(parameter), other.name());
        if (is_alike) return line;
      }
    } catch (const MachineFileError&) {  // of use to nobody
    }
  }
  return line;
}

}  // namespace

// A key that nobody has asked for, and that is spelt nearly so, is what was meant.
void MachineFile::refuse_missing(std::string_view key, const std::string& what) const {
  const Parameter* similar = nullptr;
  std::size_t least = std::min<std::size_t>(4, leaf_of(key).size() / 2);
  for (const Parameter& parameter : parameters_) {
    if (parameter.is_asked_for) continue;
    const std::size_t distance = edit_distance(parameter.key, key);
    if (distance < least) {
      least = distance;
      similar = &parameter;
    }
  }
  if (similar != nullptr) {
    const std::string_view meant = table_of(similar->key) == table_of(key) ? leaf_of(key) : key;
    refuse(*similar, fmt::format("unknown key, did you mean '{}'?", meant));
  }
  const auto table = std::find_if(places_.begin(), places_.end(),
                                  [&](const TablePlace& place) { return place.name == table_of(key); });
  const std::string where = table == places_.end() ? path_ : fmt::format("{}:{}:{}", path_, table->line, table->column);
  const std::string line = line_to_begin_with(*this, key);
  throw MachineFileError(fmt::format("{}: {}: this key is missing{}: {}{}", where, key,
                                     table == places_.end() ? ", and the table too" : "", what,
                                     line.empty() ? "" : fmt::format("; to begin with, {}", line)));
}

}  // namespace hindcast
