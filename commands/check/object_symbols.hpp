// The names in files that are on the way to a program: objects and archives of them, as a compiler writes them.
#pragma once

#include <optional>
#include <set>
#include <string>

namespace hindcast {

struct ObjectSymbols {
  std::string kind;  // "an object file", "a library of object files"
  std::set<std::string> called;
  std::set<std::string> defined;
};

// Nothing if the file is neither.
std::optional<ObjectSymbols> read_object_symbols(const std::string& path);

}  // namespace hindcast
