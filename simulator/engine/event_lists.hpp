// Lists of events, in no order, in blocks that all lists share. A list that has had many events and has few now keeps
// nothing for them, and what is written to next is what was read last and lies in the cache.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "simulator/engine/event.hpp"

namespace hindcast {

class EventLists {
 public:
  static constexpr std::size_t block_events = 40;

 private:
  struct Block {
    Block* next = nullptr;
    std::size_t used = 0;
    std::array<Event, block_events> events;

    std::span<const Event> all() const { return {events.data(), used}; }
  };

 public:
  // What is in it belongs to the EventLists. All its blocks but the first are full.
  class List {
   public:
    bool is_one_block() const { return first_ != nullptr && first_->next == nullptr; }

    // Where there are some.
    const Event& earliest() const {
      const Event* earliest = &first_->events[0];
      for (const Block* block = first_; block != nullptr; block = block->next)
        earliest = &std::min(*earliest, *std::min_element(block->all().begin(), block->all().end()));
      return *earliest;
    }
    template <typename Condition>
    bool all_are(Condition condition) const {
      for (const Block* block = first_; block != nullptr; block = block->next)
        if (!std::all_of(block->all().begin(), block->all().end(), condition)) return false;
      return true;
    }

   private:
    friend class EventLists;
    Block* first_ = nullptr;
  };

  void add(List& list, const Event& event) {
    Block* block = list.first_;
    if (block == nullptr || block->used == block_events) [[unlikely]]
      block = list.first_ = new_block(block);
    block->events[block->used++] = event;
  }

  // Gives what is in it to `take`, block by block, and empties it. Events may be added to other lists meanwhile.
  template <typename Take>
  void take_all(List& list, const Take& take) {
    Block* block = list.first_;
    list.first_ = nullptr;
    while (block != nullptr) {
      take(block->all());
      Block* const next = block->next;
      give_back(*block);
      block = next;
    }
  }

 private:
  using Slab = std::array<Block, 16>;

  Block* new_block(Block* next) {
    if (free_ == nullptr) add_slab();
    Block* const block = free_;
    free_ = block->next;
    block->next = next;
    block->used = 0;
    return block;
  }
  void add_slab() {
    slabs_.push_back(std::make_unique<Slab>());
    for (Block& block : *slabs_.back()) give_back(block);
  }
  void give_back(Block& block) {
    block.next = free_;
    free_ = &block;
  }

  Block* free_ = nullptr;
  std::vector<std::unique_ptr<Slab>> slabs_;
};

}  // namespace hindcast
