// --compute and --record-computation of hindcast run: what computation takes, and where that is written down.
#pragma once

#include <string>

#include "commands/run/run_request.hpp"

namespace hindcast {

inline constexpr auto ways_to_compute = "free|charged|measured:FACTOR|counted|recorded:[FACTOR:]FILE";

// Either is empty if it was not given. Throws std::invalid_argument, and std::runtime_error if a file cannot be used.
void choose_computation(const std::string& compute, const std::string& record_file, RunRequest& request);

}  // namespace hindcast
