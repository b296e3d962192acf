#include "commands/door/compiler_inputs.hpp"

#include <algorithm>
#include <array>

namespace hindcast {

namespace {

bool has_the_name_of_a_header(std::string_view file) {
  constexpr std::array<std::string_view, 9> suffixes = {".h",   ".hh",  ".H",   ".hp", ".hpp",
                                                        ".HPP", ".hxx", ".h++", ".tcc"};
  return std::any_of(suffixes.begin(), suffixes.end(), [&](std::string_view suffix) { return file.ends_with(suffix); });
}

}  // namespace

void CompilerInputs::add(std::string_view file) {
  any_ = true;
  const bool is_header = language_ == "none" ? has_the_name_of_a_header(file) : language_.ends_with("-header");
  if (!is_header) any_other_than_headers_ = true;
}

}  // namespace hindcast
