// A text without the blanks around it.
#pragma once

#include <string_view>

namespace hindcast {

inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

}  // namespace hindcast
