// The pending events, earliest first: a heap with four children a node, which keeps an event's way down in few cache
// lines.
#pragma once

#include <cstddef>
#include <vector>

#include "simulator/engine/event.hpp"

namespace hindcast {

class EventHeap {
 public:
  bool empty() const { return events_.empty(); }
  std::size_t size() const { return events_.size(); }
  const Event& top() const { return events_.front(); }

  void push(const Event& event) {
    std::size_t hole = events_.size();
    events_.push_back(event);
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / arity;
      if (!(event < events_[parent])) break;
      events_[hole] = events_[parent];
      hole = parent;
    }
    events_[hole] = event;
  }

  Event pop() {
    const Event earliest = events_.front();
    const Event last = events_.back();
    events_.pop_back();
    if (!events_.empty()) sink_from_root(last);
    return earliest;
  }

  auto begin() const { return events_.begin(); }  // in no particular order
  auto end() const { return events_.end(); }

 private:
  static constexpr std::size_t arity = 4;

  void sink_from_root(const Event& event) {
    const std::size_t count = events_.size();
    std::size_t hole = 0;
    for (;;) {
      const std::size_t first = hole * arity + 1;
      if (first >= count) break;
      const std::size_t end = first + arity < count ? first + arity : count;
      std::size_t least = first;
      for (std::size_t child = first + 1; child < end; ++child)
        if (events_[child] < events_[least]) least = child;
      if (!(events_[least] < event)) break;
      events_[hole] = events_[least];
      hole = least;
    }
    events_[hole] = event;
  }

  std::vector<Event> events_;
};

}  // namespace hindcast
