// What can be chosen for a key, where the program knows the names by itself because they come and go with files of its
// own, such as a library's protocols. A machine's file need not repeat them (one_of).
#pragma once

#include <string>
#include <vector>

#include "simulator/engine/rows.hpp"

namespace hindcast {

struct ProgramChoices {
  const char* library;  // as messages.library has it; the same key may be another library's as well
  const char* key;
  std::vector<std::string> (*names)();
};

}  // namespace hindcast
