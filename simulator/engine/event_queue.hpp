// The pending events, earliest first. The next few stand in a row, so that it is known what comes after what comes
// next; all others are in a heap.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "simulator/engine/event.hpp"
#include "simulator/engine/event_heap.hpp"

namespace hindcast {

class EventQueue {
 public:
  static constexpr std::size_t row_max = 12;

  bool empty() const { return first_ == end_; }
  const Event& top() const { return row_[first_]; }
  // The one that comes after so many others, if it stands in the row; else null.
  const Event* after(std::size_t others) const { return first_ + others < end_ ? &row_[first_ + others] : nullptr; }

  void push(const Event& event) {
    const bool is_row_full = end_ - first_ == row_max;
    if (is_row_full && !(event < row_[end_ - 1])) return heap_.push(event);
    if (is_row_full) heap_.push(row_[--end_]);
    insert(event);
  }

  Event pop() {
    const Event earliest = row_[first_++];
    if (!heap_.empty()) insert_last(heap_.pop());
    return earliest;
  }

  template <typename Condition>
  bool all_are(Condition condition) const {
    return std::all_of(row_.begin() + first_, row_.begin() + end_, condition) &&
           std::all_of(heap_.begin(), heap_.end(), condition);
  }

 private:
  // There is room in the row: either the heap is empty, or the row has just lost one.
  void insert(const Event& event) {
    make_place();
    std::size_t place = end_++;
    for (; place > first_ && event < row_[place - 1]; --place) row_[place] = row_[place - 1];
    row_[place] = event;
  }
  void insert_last(const Event& event) {
    make_place();
    row_[end_++] = event;
  }
  // The row moves through its memory, and back to the beginning at times.
  void make_place() {
    if (end_ < row_.size()) return;
    std::copy(row_.begin() + first_, row_.begin() + end_, row_.begin());
    end_ -= first_;
    first_ = 0;
  }

  std::array<Event, 8 * row_max> row_;
  std::size_t first_ = 0;
  std::size_t end_ = 0;
  EventHeap heap_;  // none of which is earlier than those in the row; empty unless the row is full
};

}  // namespace hindcast
