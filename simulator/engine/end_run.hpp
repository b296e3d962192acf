// How a run is ended from within: by a library that finds a program's mistake, or by a program that aborts.
#pragma once

#include <functional>
#include <string>

namespace hindcast {

// Says the line on standard error and makes the launcher leave with this status: at the current thread's clock, or now
// if a handler does it. It does not return to the program.
using EndRun = std::function<void(int status, const std::string& line)>;

}  // namespace hindcast
