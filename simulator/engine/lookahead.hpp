// Decides when what the next events lead to is fetched (fetching.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "simulator/engine/events/event_queue.hpp"
#include "simulator/engine/fetching.hpp"
#include "simulator/engine/units.hpp"

namespace hindcast {

// Looking ahead takes instructions, which are well spent once what events lead to has left the caches: where many
// threads have, or where fewer threads' messages fill the caches with what they move.
class Lookahead {
 public:
  bool is_worth_while(std::uint32_t threads) const { return threads >= threads_min_; }
  // A message travels.
  void count_message(Bytes bytes) {
    bytes_ += bytes.count();
    if (++messages_ < messages_between_looks) return;
    threads_min_ = bytes_ < long_bytes * messages_ ? threads_min_of_short : threads_min_of_long;
    bytes_ = messages_ = 0;
  }

  // Fetches the subject of the event that has just come into sight, and what the nearer ones have led to.
  static void fetch(const EventQueue& events) {
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
      if (place < row.size()) row[place].sink->fetch(row[place], level);
    }
  }

 private:
  // Messages are long if they have so many bytes on the average, with their headers.
  static constexpr std::uint64_t long_bytes = 256;
  static constexpr std::uint32_t threads_min_of_long = 96;
  static constexpr std::uint32_t threads_min_of_short = 400;
  static constexpr std::uint64_t messages_between_looks = 1024;

  std::uint32_t threads_min_ = threads_min_of_long;
  std::uint64_t messages_ = 0;  // since the last look
  std::uint64_t bytes_ = 0;
};

}  // namespace hindcast
