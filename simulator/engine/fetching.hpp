// Fetching what will be looked at soon. With many ranks what an event is about has left the caches by the time it
// fires, and one thing leads to the other: an event to its message, that to its receiver, that to a posted receive and
// so on. If each were waited for in turn, they would take most of the time. So the events that come next are looked at
// a few times as they come nearer, a level at a time: each level fetches what the one before it has found.
//
// When that is worth it, and which event is looked at when, is decided in lookahead.hpp alone. What there is to fetch
// is said by whoever will look at it: EventSink::fetch of an event's subject, and from there on from one to the next.
#pragma once

#include <cstdint>

namespace hindcast {

// Levels are counted from 0, when the event's own subject is there.
using FetchLevel = int;
constexpr FetchLevel fetch_levels = 5;

constexpr int cache_line = 64;

// Safe for any address.
inline void fetch_lines(const void* memory, int first, int end) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  for (int line = first; line < end; ++line)
    __builtin_prefetch(reinterpret_cast<const void*>(
        address + static_cast<std::uintptr_t>(static_cast<std::intptr_t>(line) * cache_line)));
  // A function that did nothing but fetch would seem to the compiler to have no effect, and calls of it be left out.
  asm volatile("");
}

// Who looks at memory of its own when a thread goes on with it.
class Fetchable {
 public:
  // The thread goes on soon. What it looks at may be fetched in up to three levels.
  virtual void fetch(FetchLevel) const {}

 protected:
  ~Fetchable() = default;
};

}  // namespace hindcast
