#include "simulator/programs/threads/deadlines.hpp"

#include "simulator/programs/rank_archive/rank_interface.h"

namespace hindcast::programs {

namespace {

constexpr std::int64_t ns_per_s = 1'000'000'000;

Time since_start(std::int64_t seconds, std::int64_t ns) {
  constexpr std::int64_t longest_s = 9'000'000;
  if (seconds >= longest_s) return Time::never();
  if (seconds < 0) return Time();
  return Time::ns(seconds * ns_per_s + ns);
}

}  // namespace

Time deadline_of(const timespec& time, clockid_t clock) {
  const std::int64_t epoch_s = clock == CLOCK_REALTIME ? HINDCAST_EPOCH_S : 0;
  if (time.tv_sec < 0) return Time();
  return since_start(time.tv_sec - epoch_s, time.tv_nsec);
}

bool has_deadlines(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC; }

Time duration_of(const timespec& time) { return since_start(time.tv_sec, time.tv_nsec); }

}  // namespace hindcast::programs
