// The pending events beyond a bound, in buckets: by the highest bit in which an event's place differs from the bound.
// All in one bucket come before those in the next, so that only the events of the first, when they are taken, have to
// be looked at again. What comes before the bound is not put here. (A radix heap.)
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/engine/event.hpp"

namespace hindcast {

class EventBuckets {
 public:
  // To put so many in order one by one takes less than to divide them further.
  static constexpr std::size_t taken_max = 40;

  bool empty() const { return filled_ == 0; }
  bool are_for(const Event& event) const { return event.place() > bound_; }

  void put(const Event& event) {
    const int bit = highest_bit(event.place() ^ bound_);
    buckets_[static_cast<std::size_t>(bit)].push_back(event);
    filled_ |= Event::Place{1} << bit;
  }

  // Gives the next few to `take`, in no particular order, and moves the bound behind them.
  template <typename Take>
  void take_next(const Take& take) {
    const int bit = lowest_bit(filled_);
    std::vector<Event>& bucket = buckets_[static_cast<std::size_t>(bit)];
    if (bucket.size() > taken_max) return take_first_of(bit, take);
    for (const Event& event : bucket) take(event);
    bucket.clear();
    filled_ ^= Event::Place{1} << bit;
    bound_ |= (Event::Place{2} << bit) - 1;
  }

  // Where there are none.
  void put_bound_behind(const Event& event) { bound_ = std::max(bound_, event.place()); }

  // To an event that the bound is behind. Those that are in other buckets then are moved.
  void draw_bound_in(const Event& last) {
    const Event::Place bound = last.place();
    const Event::Place nearer = (Event::Place{2} << highest_bit(bound_ ^ bound)) - 1;
    for (Event::Place left = filled_ & nearer; left != 0; left &= left - 1) {
      std::vector<Event>& bucket = buckets_[static_cast<std::size_t>(lowest_bit(left))];
      moved_.insert(moved_.end(), bucket.begin(), bucket.end());
      bucket.clear();
    }
    filled_ &= ~nearer;
    bound_ = bound;
    for (const Event& event : moved_) put(event);
    moved_.clear();
  }

  template <typename Condition>
  bool all_are(Condition condition) const {
    return std::all_of(buckets_.begin(), buckets_.end(),
                       [&](const auto& bucket) { return std::all_of(bucket.begin(), bucket.end(), condition); });
  }

 private:
  static int highest_bit(Event::Place bits) {
    const auto high = static_cast<std::uint64_t>(bits >> 64);
    return high != 0 ? 127 - std::countl_zero(high) : 63 - std::countl_zero(static_cast<std::uint64_t>(bits));
  }
  static int lowest_bit(Event::Place bits) {
    const auto low = static_cast<std::uint64_t>(bits);
    return low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<std::uint64_t>(bits >> 64));
  }

  // Of many, and divides the others. An event may be there more than once.
  template <typename Take>
  void take_first_of(int bit, const Take& take) {
    moved_.swap(buckets_[static_cast<std::size_t>(bit)]);
    filled_ ^= Event::Place{1} << bit;
    bound_ = std::min_element(moved_.begin(), moved_.end())->place();
    for (const Event& event : moved_) {
      if (are_for(event))
        put(event);
      else
        take(event);
    }
    moved_.clear();
  }

  Event::Place bound_ = 0;
  Event::Place filled_ = 0;  // a bit for each bucket
  std::array<std::vector<Event>, 128> buckets_;
  std::vector<Event> moved_;
};

}  // namespace hindcast
