// How far a program may let its clock go by itself. 64 bits of picoseconds last for 106 days, and what its messages
// take comes on top.
#pragma once

#include "simulator/engine/thread.hpp"

namespace hindcast::programs {

constexpr Time clock_limit = Time::ps(9'000'000'000'000'000'000);
constexpr const char* clock_limit_in_words = "104 simulated days";

inline bool is_within_clock(const Thread& thread, Time passing) { return passing <= clock_limit - thread.clock(); }
inline bool is_within_clock(const Thread& thread, double seconds) {
  return seconds <= clock_limit.in_seconds() && is_within_clock(thread, Time::from_seconds(seconds));
}

class RunningProgram;
// Ends the run, saying so.
[[noreturn]] void refuse_beyond_clock(RunningProgram& program, const char* function, double seconds);

}  // namespace hindcast::programs
