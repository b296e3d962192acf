// Files that are given to be run and are not yet programs.
#pragma once

#include <string>

namespace hindcast {

// Throws std::invalid_argument for a source file or an object file, and says how it is compiled, and for a machine's
// file or an experiment's, and says what to do with it.
void refuse_what_is_no_program(const std::string& file, int ranks);

}  // namespace hindcast
