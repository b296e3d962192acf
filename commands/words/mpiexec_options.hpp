// Options of other MPIs' mpiexec, which mean nothing here, or are said in another way.
#pragma once

#include <string>
#include <vector>

namespace hindcast {

// If words[at] is one of them that may be ignored, takes it and its value out of `words`, and says so on standard
// error. Throws std::invalid_argument if a run without it would not be what was asked for.
bool take_mpiexec_option(std::vector<std::string>& words, std::size_t at);

}  // namespace hindcast
