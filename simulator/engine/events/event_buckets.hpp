// The pending events beyond a bound, in buckets: by the highest digit of four bits in which an event's place differs
// from the bound, and by what the digit is. All in one bucket come before those in the next, so that only the events of
// the first, when they are taken, have to be looked at again. What comes before the bound is not put here. (A radix
// heap.)
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "simulator/engine/events/event.hpp"
#include "simulator/engine/events/event_lists.hpp"

namespace hindcast {

class EventBuckets {
 public:
  // To put so many in order one by one takes less than to divide them further.
  static constexpr std::size_t taken_max = EventBlock::size;

  bool empty() const { return filled_digits_ == 0; }
  Event::Place bound() const { return bound_; }
  bool are_for(const Event& event) const { return event.place() > bound_; }

  void put(const Event& event) {
    const unsigned digit = highest_digit(event.place() ^ bound_);
    const unsigned value = value_of(digit, event);
    lists_.add(bucket(digit, value), event);
    filled_digits_ |= 1U << digit;
    filled_values_[digit] = static_cast<std::uint16_t>(filled_values_[digit] | 1U << value);
  }

  // Gives the next few to `take`, taken_max at once at most and in no order, and moves the bound behind them.
  template <typename Take>
  void take_next(const Take& take) {
    const auto digit = static_cast<unsigned>(std::countr_zero(filled_digits_));
    const auto value = static_cast<unsigned>(std::countr_zero(filled_values_[digit]));
    EventLists::List& next = bucket(digit, value);
    forget(digit, value);
    if (!next.is_one_block()) return take_first_of(next, take);
    lists_.take_all(next, take);
    const Event::Place from_digit_on = (Event::Place{1} << bits * digit) - 1;
    bound_ =
        (bound_ & ~(Event::Place{values - 1} << bits * digit)) | Event::Place{value} << bits * digit | from_digit_on;
  }

  // Where there are none.
  void put_bound_behind(const Event& event) { bound_ = std::max(bound_, event.place()); }

  // If the bound were drawn in to this event. Each time that the row is too long, these would move once more.
  bool would_move_many(const Event& last) const {
    constexpr std::size_t blocks_max = 16;
    std::size_t blocks = 0;
    const unsigned highest = highest_digit(bound_ ^ last.place());
    for (unsigned left = filled_digits_ & ((1U << highest) - 1); left != 0; left &= left - 1) {
      const auto digit = static_cast<unsigned>(std::countr_zero(left));
      for (unsigned filled = filled_values_[digit]; filled != 0; filled &= filled - 1)
        blocks += buckets_[digit * values + static_cast<unsigned>(std::countr_zero(filled))].blocks_up_to(blocks_max);
    }
    return blocks > blocks_max + values;
  }

  // To an event that the bound is behind. Those that lie in other buckets then are moved.
  void draw_bound_in(const Event& last) {
    const unsigned highest = highest_digit(bound_ ^ last.place());
    for (unsigned left = filled_digits_ & ((1U << highest) - 1); left != 0; left &= left - 1)
      move_all_of(static_cast<unsigned>(std::countr_zero(left)));
    bound_ = last.place();
    for (const Event& event : moved_) put(event);
    moved_.clear();
  }

  template <typename Condition>
  bool all_are(Condition condition) const {
    return std::all_of(buckets_.begin(), buckets_.end(), [&](const auto& bucket) { return bucket.all_are(condition); });
  }

 private:
  static constexpr unsigned bits = 4;
  static constexpr unsigned values = 1U << bits;  // of a digit
  static constexpr unsigned digits = 8 * sizeof(Event::Place) / bits;

  static unsigned highest_digit(Event::Place place) {
    const auto high = static_cast<std::uint64_t>(place >> 64);
    const int bit = high != 0 ? 127 - std::countl_zero(high) : 63 - std::countl_zero(static_cast<std::uint64_t>(place));
    return static_cast<unsigned>(bit) / bits;
  }
  // A shift of the whole place takes longer.
  static unsigned value_of(unsigned digit, const Event& event) {
    const std::uint64_t half = digit < digits / 2 ? event.order : static_cast<std::uint64_t>(event.at.in_ps());
    return static_cast<unsigned>(half >> bits * (digit % (digits / 2))) % values;
  }
  EventLists::List& bucket(unsigned digit, unsigned value) { return buckets_[digit * values + value]; }

  void forget(unsigned digit, unsigned value) {
    filled_values_[digit] = static_cast<std::uint16_t>(filled_values_[digit] ^ 1U << value);
    if (filled_values_[digit] == 0) filled_digits_ ^= 1U << digit;
  }

  void move_all_of(unsigned digit) {
    for (unsigned left = filled_values_[digit]; left != 0; left &= left - 1) {
      EventLists::List& from = bucket(digit, static_cast<unsigned>(std::countr_zero(left)));
      lists_.take_all(from,
                      [&](std::span<const Event> some) { moved_.insert(moved_.end(), some.begin(), some.end()); });
    }
    filled_values_[digit] = 0;
    filled_digits_ ^= 1U << digit;
  }

  // Of many, and divides the others. An event may be there more than once.
  template <typename Take>
  void take_first_of(EventLists::List& many, const Take& take) {
    EventLists::List divided = std::exchange(many, {});
    bound_ = divided.earliest().place();
    lists_.take_all(divided, [&](std::span<const Event> some) {
      for (const Event& event : some) {
        if (are_for(event))
          put(event);
        else
          take(std::span(&event, 1));
      }
    });
  }

  Event::Place bound_ = 0;
  std::uint32_t filled_digits_ = 0;                       // a bit for each digit with events
  std::array<std::uint16_t, digits> filled_values_ = {};  // a bit for each bucket of a digit
  std::array<EventLists::List, digits * values> buckets_;
  EventLists lists_;
  std::vector<Event> moved_;
};

}  // namespace hindcast
