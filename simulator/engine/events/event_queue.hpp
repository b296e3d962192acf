// The pending events, earliest first. The next few stand in a row, so that it is known what comes after what comes
// next; all others are in runs, or in buckets where runs would be many and short.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "simulator/engine/events/event.hpp"
#include "simulator/engine/events/event_buckets.hpp"
#include "simulator/engine/events/event_heap.hpp"
#include "simulator/engine/events/event_runs.hpp"

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
    if (row_size() < row_min && are_all_in_row())
      buckets_.put_bound_behind(event);
    else if (buckets_.are_for(event))
      return put_behind_row(event);
    else if (nearer_.is_for(event)) [[unlikely]]
      return nearer_.put(event);
    if (first_ > 0 && first_ < end_ && event < row_[first_ + row_size() / 2]) return insert_in_front(event);
    make_room(1);
    insert(event, first_);
  }

  Event pop() {
    const Event earliest = row_[first_++];
    if (row_size() < row_min && !are_all_in_row()) fill_row();
    return earliest;
  }

  template <typename Condition>
  bool all_are(Condition condition) const {
    return std::all_of(row_.begin() + first_, row_.begin() + end_, condition) && runs_.all_are(condition) &&
           buckets_.all_are(condition) && nearer_.all_are(condition);
  }

 private:
  static constexpr std::size_t row_max = 64;

  // Whether runs take less than buckets is seen while they are used. They do not where about every second event is
  // another run's than the one before, or where an event fits no run. They are tried again after `pause` events, as
  // a program may have gone on to something else.
  class Trial {
   public:
    bool is_on() const { return events_until_on_ == 0; }
    void end() { events_until_on_ = pause; }
    void put_elsewhere() { --events_until_on_; }
    void took_stretch(std::size_t events) {
      events_ += events;
      if (++stretches_ < stretches_looked_at) return;
      if (events_ < 2 * stretches_looked_at) end();
      events_ = stretches_ = 0;
    }

   private:
    static constexpr std::size_t stretches_looked_at = 256;
    static constexpr std::size_t pause = 16384;

    std::size_t events_until_on_ = 0;
    std::size_t stretches_ = 0;
    std::size_t events_ = 0;
  };

  std::size_t row_size() const { return end_ - first_; }

  bool are_all_in_row() const { return runs_.empty() && buckets_.empty() && nearer_.empty(); }

  void put_behind_row(const Event& event) {
    if (with_runs_.is_on()) {
      if (runs_.put(event)) return;
      with_runs_.end();
    }
    with_runs_.put_elsewhere();
    buckets_.put(event);
  }

  void fill_row() {
    do {
      if (!nearer_.empty()) [[unlikely]]
        take_nearer();
      else if (buckets_.empty())
        take_from_runs();
      else
        take_from_buckets();
    } while (row_size() < row_min && !are_all_in_row());
  }
  void take_nearer() {
    make_room(row_min);
    nearer_.take_next(row_min, [&](const Event& event) { row_[end_++] = event; });
  }
  void take_from_runs() {
    make_room(row_min);
    const std::size_t begin = end_;
    runs_.take_stretch(Event::behind_all, row_min, [&](const Event& event) { row_[end_++] = event; });
    buckets_.put_bound_behind(row_[end_ - 1]);
    with_runs_.took_stretch(end_ - begin);
  }
  void take_from_buckets() {
    make_room(EventBuckets::taken_max);
    const std::size_t begin = end_;  // all before it are earlier
    buckets_.take_next([&](std::span<const Event> some) { append(some, begin); });
    runs_.take_until(buckets_.bound(), [&](const Event& event) { insert(event, begin); });
  }

  // Else many that come before the bound would be put in order one by one.
  void shorten_row() {
    std::size_t kept_end = first_ + row_max / 2;
    while (kept_end < end_ && !(row_[kept_end - 1] < row_[kept_end])) ++kept_end;
    if (kept_end == end_) return;
    const Event& last = row_[kept_end - 1];
    const std::span<const Event> others(row_.data() + kept_end, end_ - kept_end);
    end_ = kept_end;
    if (!nearer_.empty() || buckets_.would_move_many(last)) return put_nearer(last, others);
    buckets_.draw_bound_in(last);
    for (const Event& event : others) put_behind_row(event);
  }
  void put_nearer(const Event& last, std::span<const Event> others) {
    nearer_.put_behind(last);
    for (const Event& event : others) nearer_.put(event);
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
  // Later than all in the row, which has row_min of them if there are as many. The buckets' bound is the row's, but
  // while there are nearer ones, which lie between the two.
  EventRuns runs_;
  EventBuckets buckets_;
  EventHeap nearer_;
  Trial with_runs_;
};

}  // namespace hindcast
