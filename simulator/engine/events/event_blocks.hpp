// Memory for pending events, in blocks. What is written to next is what was read last and lies in the cache.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "simulator/engine/events/event.hpp"

namespace hindcast {

struct EventBlock {
  static constexpr std::size_t size = 40;

  EventBlock* next = nullptr;
  std::size_t used = 0;
  std::array<Event, size> events;

  std::span<const Event> all() const { return {events.data(), used}; }
  bool is_full() const { return used == size; }
  void add(const Event& event) { events[used++] = event; }
};

class EventBlocks {
 public:
  EventBlock* take(EventBlock* next) {
    if (free_ == nullptr) add_slab();
    EventBlock* const block = free_;
    free_ = block->next;
    block->next = next;
    block->used = 0;
    return block;
  }
  void give_back(EventBlock& block) {
    block.next = free_;
    free_ = &block;
  }

 private:
  using Slab = std::array<EventBlock, 16>;

  void add_slab() {
    slabs_.push_back(std::make_unique<Slab>());
    for (EventBlock& block : *slabs_.back()) give_back(block);
  }

  EventBlock* free_ = nullptr;
  std::vector<std::unique_ptr<Slab>> slabs_;
};

}  // namespace hindcast
