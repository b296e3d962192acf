// Numbers that stand in other numbers' formulas, which `hindcast uncertainty` evaluates.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/machine/file/machine_file.hpp"
#include "simulator/machine/file/nearest_name.hpp"

namespace hindcast {

namespace {

// Words that are no numbers, and have a table's name before their own.
std::vector<std::string> keys_in(std::string_view formula) {
  constexpr std::string_view letters_of_words = "abcdefghijklmnopqrstuvwxyz0123456789_.-";
  std::vector<std::string> keys;
  for (std::size_t end = 0, begin = 0; begin < formula.size(); begin = end + 1) {
    end = std::min(formula.find_first_not_of(letters_of_words, begin), formula.size());
    const std::string_view word = formula.substr(begin, end - begin);
    if (!word.empty() && word.front() >= 'a' && word.front() <= 'z' && word.find('.') != std::string_view::npos)
      keys.emplace_back(word);
  }
  return keys;
}

}  // namespace

void MachineFile::refuse_formulas_of_nothing() const {
  for (const Parameter& parameter : parameters_)
    for (const std::string& formula : parameter.formulas)
      for (const std::string& key : keys_in(formula)) {
        if (has(key)) continue;
        std::vector<std::string> keys;
        for (const Parameter& other : parameters_) keys.push_back(other.key);
        const std::string meant = nearest_name(key, keys);
        refuse(parameter, fmt::format("'{}': the file has no number {}{}", formula, key,
                                      meant.empty() ? "" : fmt::format(", did you mean '{}'?", meant)));
      }
}

}  // namespace hindcast
