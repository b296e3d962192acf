// The pending events, earliest first. The next few stand in a row, so that it is known what comes after what comes
// next; all others are in buckets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "simulator/engine/event.hpp"
#include "simulator/engine/event_buckets.hpp"

namespace hindcast {

class EventQueue {
 public:
  // So many stand in the row, if there are as many.
  static constexpr std::size_t row_min = 12;

  bool empty() const { return first_ == end_; }
  const Event& top() const { return row_[first_]; }
  // The next few, in their order.
  std::span<const Event> row() const { return {row_.data() + first_, row_size()}; }

  void push(const Event& event) {
    if (row_size() >= row_max) [[unlikely]]
      shorten_row();
    if (later_.empty() && row_size() < row_min)
      later_.put_bound_behind(event);
    else if (later_.are_for(event))
      return later_.put(event);
    if (first_ > 0 && first_ < end_ && event < row_[first_ + row_size() / 2]) return insert_in_front(event);
    make_room(1);
    insert(event, first_);
  }

  Event pop() {
    const Event earliest = row_[first_++];
    if (row_size() < row_min && !later_.empty()) fill_row();
    return earliest;
  }

  template <typename Condition>
  bool all_are(Condition condition) const {
    return std::all_of(row_.begin() + first_, row_.begin() + end_, condition) && later_.all_are(condition);
  }

 private:
  static constexpr std::size_t row_max = 64;

  std::size_t row_size() const { return end_ - first_; }

  void fill_row() {
    do {
      make_room(EventBuckets::taken_max);
      const std::size_t begin = end_;  // all before it are earlier
      later_.take_next([&](std::span<const Event> some) { append(some, begin); });
    } while (row_size() < row_min && !later_.empty());
  }

  // Else many that come before the bound would be put in order one by one.
  void shorten_row() {
    std::size_t kept_end = first_ + row_max / 2;
    while (kept_end < end_ && !(row_[kept_end - 1] < row_[kept_end])) ++kept_end;
    if (kept_end == end_) return;
    later_.draw_bound_in(row_[kept_end - 1]);
    while (end_ > kept_end) later_.put(row_[--end_]);
  }

  // Among those from `begin` on, in order.
  void append(std::span<const Event> some, std::size_t begin) {
    constexpr std::size_t one_by_one_max = 8;
    if (some.size() <= one_by_one_max) {
      for (const Event& event : some) insert(event, begin);
      return;
    }
    std::copy(some.begin(), some.end(), &row_[end_]);
    end_ += some.size();
    std::sort(&row_[begin], &row_[begin] + (end_ - begin));
  }
  void insert(const Event& event, std::size_t begin) {
    if (end_ == row_.size()) [[unlikely]]  // one event is there many times
      row_.resize(2 * row_.size());
    std::size_t place = end_++;
    for (; place > begin && event < row_[place - 1]; --place) row_[place] = row_[place - 1];
    row_[place] = event;
  }
  // In the first half: those that are earlier make room.
  void insert_in_front(const Event& event) {
    std::size_t place = --first_;
    for (; row_[place + 1] < event; ++place) row_[place] = row_[place + 1];
    row_[place] = event;
  }
  // The row moves through its memory, and back to the beginning at times.
  void make_room(std::size_t count) {
    if (end_ + count <= row_.size()) return;
    std::copy(row_.begin() + first_, row_.begin() + end_, row_.begin());
    end_ -= first_;
    first_ = 0;
  }

  std::vector<Event> row_ = std::vector<Event>(4 * row_max);
  std::size_t first_ = 0;
  std::size_t end_ = 0;
  EventBuckets later_;  // than all in the row, which has row_min of them if there are as many
};

}  // namespace hindcast
