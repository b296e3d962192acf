// The variables of one program's environment, as its own getenv finds them.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace hindcast::pvm {

class Environment {
 public:
  // Null: there is none of this name.
  static const char* value_of(char** variables, std::string_view name);
  // The program's list becomes one with this variable, in the place of what it had of that name.
  void set(char**& variables, std::string_view name, std::string_view value);

 private:
  // A program may keep pointers to what it has found.
  std::deque<std::string> assignments_;
  std::deque<std::vector<char*>> lists_;
};

}  // namespace hindcast::pvm
