// Lists of events, in no order, in blocks that all lists share. A list that has had many events and has few now keeps
// nothing for them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "simulator/engine/events/event.hpp"
#include "simulator/engine/events/event_blocks.hpp"

namespace hindcast {

class EventLists {
 public:
  // What is in it belongs to the EventLists. All its blocks but the first are full.
  class List {
   public:
    // How many there are, counted no further than `most`.
    std::size_t blocks_up_to(std::size_t most) const {
      std::size_t count = 0;
      for (const EventBlock* block = first_; block != nullptr && count < most; block = block->next) ++count;
      return count;
    }
    bool is_one_block() const { return first_ != nullptr && first_->next == nullptr; }

    // Where there are some.
    const Event& earliest() const {
      const Event* earliest = &first_->events[0];
      for (const EventBlock* block = first_; block != nullptr; block = block->next)
        earliest = &std::min(*earliest, *std::min_element(block->all().begin(), block->all().end()));
      return *earliest;
    }
    template <typename Condition>
    bool all_are(Condition condition) const {
      for (const EventBlock* block = first_; block != nullptr; block = block->next)
        if (!std::all_of(block->all().begin(), block->all().end(), condition)) return false;
      return true;
    }

   private:
    friend class EventLists;
    EventBlock* first_ = nullptr;
  };

  void add(List& list, const Event& event) {
    if (list.first_ == nullptr || list.first_->is_full()) [[unlikely]]
      list.first_ = blocks_.take(list.first_);
    list.first_->add(event);
  }

  // Gives what is in it to `take`, block by block, and empties it. Events may be added to other lists meanwhile.
  template <typename Take>
  void take_all(List& list, const Take& take) {
    EventBlock* block = list.first_;
    list.first_ = nullptr;
    while (block != nullptr) {
      take(block->all());
      EventBlock* const next = block->next;
      blocks_.give_back(*block);
      block = next;
    }
  }

 private:
  EventBlocks blocks_;
};

}  // namespace hindcast
