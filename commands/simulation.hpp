// One run: a machine is built, programs are started on it, and the simulation runs to its end.
#pragma once

#include "commands/run_request.hpp"

namespace hindcast {

// Ends the process with the exit status of the run. Throws if it cannot start.
[[noreturn]] void simulate(const RunRequest& request);

}  // namespace hindcast
