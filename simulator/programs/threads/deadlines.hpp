// Instants that programs give as times of their clocks.
#pragma once

#include <ctime>

#include "simulator/engine/units.hpp"

namespace hindcast::programs {

inline bool is_valid_time(const timespec& time) { return time.tv_nsec >= 0 && time.tv_nsec < 1'000'000'000; }

// Time since the run began; never, if the clock does not last until then.
Time deadline_of(const timespec& time, clockid_t clock);
bool has_deadlines(clockid_t clock);
Time duration_of(const timespec& time);

}  // namespace hindcast::programs
