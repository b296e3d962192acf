// The pending events, earliest first: a heap with four children a node, which lie together in two lines of the cache.
// That keeps an event's way down in few of them.
#pragma once

#include <boost/align/aligned_allocator.hpp>
#include <cstddef>
#include <vector>

#include "simulator/engine/event.hpp"

namespace hindcast {

class EventHeap {
 public:
  bool empty() const { return events_.size() == root; }
  const Event& top() const { return events_[root]; }

  void push(const Event& event) {
    events_.push_back(event);
    rise(events_.size() - 1, event);
  }

  Event pop() {
    const Event earliest = top();
    const Event last = events_.back();
    events_.pop_back();
    if (!empty()) sink_from_root(last);
    return earliest;
  }

  auto begin() const { return events_.begin() + root; }  // in no particular order
  auto end() const { return events_.end(); }

 private:
  static constexpr std::size_t arity = 4;
  // Places before it are empty, so that every node's children begin at a multiple of their number.
  static constexpr std::size_t root = arity - 1;
  static std::size_t first_child_of(std::size_t node) { return (node - root + 1) * arity; }
  static std::size_t parent_of(std::size_t node) { return node / arity - 1 + root; }

  // The event comes from the end, and mostly belongs there again: so the hole goes down to a leaf first, and the event
  // up from there.
  void sink_from_root(const Event& event) {
    const std::size_t count = events_.size();
    std::size_t hole = root;
    for (std::size_t first = first_child_of(hole); first < count; first = first_child_of(hole)) {
      const std::size_t least = first + arity <= count ? least_of_four(first) : least_of(first, count);
      events_[hole] = events_[least];
      hole = least;
    }
    rise(hole, event);
  }

  void rise(std::size_t hole, const Event& event) {
    while (hole > root) {
      const std::size_t parent = parent_of(hole);
      if (!(event < events_[parent])) break;
      events_[hole] = events_[parent];
      hole = parent;
    }
    events_[hole] = event;
  }

  std::size_t least_of_four(std::size_t first) const {
    const std::size_t a = first + static_cast<std::size_t>(events_[first + 1] < events_[first]);
    const std::size_t b = first + 2 + static_cast<std::size_t>(events_[first + 3] < events_[first + 2]);
    return events_[b] < events_[a] ? b : a;
  }

  std::size_t least_of(std::size_t first, std::size_t end) const {
    std::size_t least = first;
    for (std::size_t child = first + 1; child < end; ++child)
      if (events_[child] < events_[least]) least = child;
    return least;
  }

  std::vector<Event, boost::alignment::aligned_allocator<Event, arity * sizeof(Event)>> events_{root};
};

}  // namespace hindcast
