// Events between the row and the buckets' bound, where so many lie right behind that bound that they cannot be moved
// each time that the row is too long: a heap, in which an event takes the longer the more there are, but never moves
// others than those above it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "simulator/engine/events/event.hpp"

namespace hindcast {

class EventHeap {
 public:
  bool empty() const { return events_.empty(); }
  // Whether it belongs here, and not among those that were taken last or into the row before them.
  bool is_for(const Event& event) const { return !empty() && event.place() > bound_; }

  void put_behind(const Event& bound) { bound_ = bound.place(); }
  void put(const Event& event) {
    events_.push_back(event);
    std::push_heap(events_.begin(), events_.end(), is_later);
  }

  // Gives the earliest to `take`, in order, `most` at most.
  template <typename Take>
  void take_next(std::size_t most, const Take& take) {
    for (; most > 0 && !empty(); --most) {
      std::pop_heap(events_.begin(), events_.end(), is_later);
      bound_ = events_.back().place();
      take(events_.back());
      events_.pop_back();
    }
  }

  template <typename Condition>
  bool all_are(Condition condition) const {
    return std::all_of(events_.begin(), events_.end(), condition);
  }

 private:
  static bool is_later(const Event& one, const Event& other) { return other < one; }

  Event::Place bound_ = 0;
  std::vector<Event> events_;
};

}  // namespace hindcast
