// What members of a team share out among them: how each comes to the next share in its program, takes pieces of it, and
// leaves it.
#pragma once

#include "simulator/programs/openmp/team.hpp"

namespace hindcast::programs::openmp {

using Schedule = WorkShare::Schedule;

WorkShare& share_of(const Member& member);
// The next one in the member's program, which whoever comes first describes.
WorkShare& begin_share(Member& member, const WorkShare& described);
void end_share(Member& member);
// Where the region may be cancelled: whether it has been.
bool end_share_and_meet(bool may_be_cancelled = false);

WorkShare numbered(std::uint64_t first, std::uint64_t count, Schedule schedule, std::uint64_t chunk);
// Signed and unsigned numbers are of 64 bits in loops, and are told apart by their direction alone.
WorkShare signed_loop(long begin, long end, long step, Schedule schedule, long chunk);
WorkShare unsigned_loop(bool up, unsigned long long begin, unsigned long long end, unsigned long long step,
                        Schedule schedule, unsigned long long chunk);
// The next piece of the loop that the calling thread is in; false if there is none.
bool next_piece(std::uint64_t& begin, std::uint64_t& end);

template <typename Number>
bool next_of_loop(Number* begin, Number* end) {
  std::uint64_t from = 0, to = 0;
  if (!next_piece(from, to)) return false;
  *begin = static_cast<Number>(from);
  *end = static_cast<Number>(to);
  return true;
}

template <typename Number>
bool start_loop(const WorkShare& described, Number* begin, Number* end) {
  begin_share(Runtime::member("a loop of OpenMP"), described);
  return next_of_loop(begin, end);
}

}  // namespace hindcast::programs::openmp
