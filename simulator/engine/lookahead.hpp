// Decides when what the next events lead to is fetched (fetching.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "simulator/engine/event_queue.hpp"
#include "simulator/engine/fetching.hpp"

namespace hindcast::lookahead {

// What fewer threads look at stays in the caches.
constexpr std::uint32_t threads_min = 96;

// The subject of the event that has just come into sight, and what the nearer ones have led to.
inline void over(const EventQueue& events) {
  constexpr std::size_t events_a_level = 2;
  static_assert(events_a_level * (fetch_levels + 1) <= EventQueue::row_min);
  constexpr std::size_t sight = events_a_level * (fetch_levels + 1) - 1;
  const std::span<const Event> row = events.row();
  if (row.size() > sight) {
    fetch_lines(row[sight].sink, 0, 2);
    fetch_lines(reinterpret_cast<const void*>(row[sight].data), 0, 2);
  }
  for (FetchLevel level = 0; level < fetch_levels; ++level) {
    const std::size_t place = sight - events_a_level * static_cast<std::size_t>(level + 1);
    if (place < row.size() && (level == 0 || row[place].kind() != EventKind::act))
      row[place].sink->fetch(row[place], level);
  }
}

}  // namespace hindcast::lookahead
