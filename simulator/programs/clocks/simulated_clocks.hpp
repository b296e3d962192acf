// Simulated time as a rank's program has it, in whole nanoseconds since the run began.
#pragma once

#include <cstdint>
#include <ctime>

namespace hindcast::programs {

constexpr std::int64_t ns_of_s = 1'000'000'000;

inline std::int64_t ns_of(const timespec& time) { return time.tv_sec * ns_of_s + time.tv_nsec; }
inline timespec timespec_of_ns(std::int64_t ns) { return {ns / ns_of_s, ns % ns_of_s}; }
inline bool is_length_of_time(const timespec& time) {
  return time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec < ns_of_s;
}

// Of the calling thread, which takes what reading a clock does.
std::int64_t read_clock_ns();
// Lets it pass. Gives what is left if a signal's handler has ended it.
std::int64_t sleep_ns(std::int64_t duration);
void yield();

}  // namespace hindcast::programs
