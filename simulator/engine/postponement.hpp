// Work that interrupts a thread, and what it puts off. The thread asks it about what it has done ahead of the clock,
// and a recorder about the steps that it was told of.
#pragma once

#include "simulator/engine/events/event.hpp"
#include "simulator/engine/units.hpp"

namespace hindcast {

class Postponement {
 public:
  static constexpr EventOrder last_of_all = ~EventOrder{0};

  // The work takes `cost` from `start` on, and comes before what the thread's program does later than `instant`. Of
  // what the program does at that very instant, the work comes before what has a place after `order`.
  Postponement(const EventOwner& thread, Time instant, EventOrder order, Time start, Time cost)
      : thread_(thread), instant_(instant), order_(order), start_(start), cost_(cost) {}

  Time start() const { return start_; }
  Time cost() const { return cost_; }

  // Whether it comes before what the thread's program does at an instant.
  bool comes_before(Time at, EventOrder order) const { return at > instant_ || (at == instant_ && order > order_); }
  // By how much something at an instant is put off, which has this place among what happens there. What earlier work on
  // arrivals has started is over when this work begins.
  Time delay_of(Time at, EventOrder order) const {
    const bool is_later = thread_.made(order) ? comes_before(at, order) : at > start_;
    return is_later ? cost_ : Time();
  }
  // What is at later instants is put off whoever has made it.
  Time puts_off_all_after() const { return later_of(instant_, start_); }
  Time delay_of_clock(Time clock) const { return clock >= instant_ ? cost_ : Time(); }

  // What becomes of a step. One that is cut ends where the work begins, and its rest follows the work.
  enum class Fate { stays, moves, is_cut };
  // Of one of the thread's program.
  Fate fate_of_step(Time begin, Time end, EventOrder order) const {
    const bool begins_with_the_work = begin == start_ && end > start_;
    if (begins_with_the_work || comes_before(begin, order)) return Fate::moves;
    return end > start_ ? Fate::is_cut : Fate::stays;
  }
  // Of other work on arrivals.
  Fate fate_of_service(Time begin) const { return begin > start_ ? Fate::moves : Fate::stays; }

 private:
  EventOwner thread_;
  Time instant_;
  EventOrder order_;
  Time start_;
  Time cost_;
};

}  // namespace hindcast
