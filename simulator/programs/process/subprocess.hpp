// Another program's output.
#pragma once

#include <string>
#include <vector>

namespace hindcast::programs {

// What the command writes to its standard output; empty if it cannot be started. Its error output is thrown away.
std::string output_of(const std::vector<std::string>& command);

}  // namespace hindcast::programs
