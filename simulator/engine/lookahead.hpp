// Decides when what the next events lead to is fetched (fetching.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

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
  if (const Event* event = events.after(sight)) {
    fetch_lines(event->sink, 0, 2);
    fetch_lines(reinterpret_cast<const void*>(event->data), 0, 2);
  }
  for (FetchLevel level = 0; level < fetch_levels; ++level) {
    const Event* event = events.after(sight - events_a_level * static_cast<std::size_t>(level + 1));
    if (event != nullptr && (level == 0 || event->kind() != EventKind::act)) event->sink->fetch(*event, level);
  }
}

}  // namespace hindcast::lookahead
