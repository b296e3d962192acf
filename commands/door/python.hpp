// Commands that are Python programs: hindcast experiment and score.
#pragma once

#include <string_view>

namespace hindcast {

bool is_python_command(std::string_view command);

// Starts Python in this process's place, with the same words; returns only if it cannot, with an exit status.
int start_python(char** argv);

}  // namespace hindcast
