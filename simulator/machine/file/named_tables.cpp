#include "simulator/machine/file/named_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "simulator/machine/file/nearest_name.hpp"

namespace hindcast {

namespace {

constexpr std::array<const char*, 5> sorts{"node", "network", "site", "link", "method"};

// A key in tables of one sort whose value is the name of one of another.
struct Reference {
  std::string_view of;
  std::string_view key;
  std::string_view to;
};
constexpr std::array references{Reference{"site", "node", "node"}, Reference{"site", "network", "network"},
                                Reference{"link", "from", "site"}, Reference{"link", "to", "site"}};

bool is_good_name(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '-' || letter == '_';
  });
}

}  // namespace

std::string NamedTables::why_not(const NamedTable& table) const {
  if (std::find(sorts.begin(), sorts.end(), table.sort) == sorts.end()) {
    const std::string meant = nearest_name(table.sort, {sorts.begin(), sorts.end()});
    return meant.empty() ? fmt::format("unknown table, there may be several of {}", fmt::join(sorts, ", "))
                         : fmt::format("unknown table, did you mean '{}'?", meant);
  }
  if (table.name.empty()) return "key 'name' is missing";
  if (!is_good_name(table.name))
    return fmt::format("name '{}' has to be of small letters, digits, '-' and '_'", table.name);
  for (const NamedTable& other : tables_)
    if (other.sort == table.sort && other.name == table.name)
      return fmt::format("the name '{}' is taken: line {} has it", table.name, other.line);
  return "";
}

std::vector<NamedTable> NamedTables::of(std::string_view sort) const {
  std::vector<NamedTable> found;
  std::copy_if(tables_.begin(), tables_.end(), std::back_inserter(found),
               [&](const NamedTable& table) { return table.sort == sort; });
  return found;
}

std::vector<std::string> NamedTables::names(std::string_view sort) const {
  std::vector<std::string> names;
  for (const NamedTable& table : of(sort)) names.push_back(table.name);
  return names;
}

std::string NamedTables::referred_to_by(std::string_view key) {
  const std::size_t first = key.find('.');
  const std::size_t last = key.rfind('.');
  if (first == last) return "";
  for (const Reference& reference : references)
    if (key.substr(0, first) == reference.of && key.substr(last + 1) == reference.key) return std::string(reference.to);
  return "";
}

}  // namespace hindcast
