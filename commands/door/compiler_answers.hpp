// What build systems ask the compiler wrappers of any MPI: -show and -compile_info of one family of them, of another
// --showme:compile.
#pragma once

#include <string>
#include <string_view>

#include "commands/door/compiler_flags.hpp"

namespace hindcast {

// What a question wants to see of the compiler's command.
enum class Steps { all, compiling, linking };

struct Wrapper {
  Language language;
  const Words& compiler;
  const CompilerFlags& flags;
  const Words& command;  // that it would start
};

bool is_question(std::string_view word);
Steps steps_asked_for(std::string_view question);
// Prints the answer. Gives the status to exit with.
int answer(std::string_view question, const Wrapper& wrapper);

}  // namespace hindcast
