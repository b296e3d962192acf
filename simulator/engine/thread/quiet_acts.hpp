// Acts of a thread that nobody notices before a handler asks for them, so that they take no event.
#pragma once

#include "simulator/engine/engine.hpp"
#include "simulator/engine/fifo.hpp"
#include "simulator/engine/postponement.hpp"

namespace hindcast {

class QuietActs {
 public:
  explicit QuietActs(const Engine& engine) : engine_(engine) {}

  // Most come in the order of their times, and those that are due then go here.
  void put(const Event& act) {
    while (!acts_.empty() && engine_.has_passed(acts_.front())) fire_first();
    acts_.push_back(act);
  }

  void fire_due() {
    for (std::size_t left = acts_.size(); left > 0; --left) {
      const Event act = acts_.front();
      acts_.pop_front();
      if (engine_.has_passed(act))
        act.sink->fire(act);
      else
        acts_.push_back(act);
    }
  }

  bool empty() const { return acts_.empty(); }
  Event take_first() {
    const Event first = acts_.front();
    acts_.pop_front();
    return first;
  }

  // Those that are due have happened, though nobody has asked yet.
  void put_off(const Postponement& postponement) {
    for (Event& act : acts_)
      if (!engine_.has_passed(act)) act.at += postponement.delay_of(act.at, act.order);
  }

 private:
  void fire_first() {
    const Event first = take_first();
    first.sink->fire(first);
  }

  const Engine& engine_;
  Fifo<Event> acts_;  // as they were put there
};

}  // namespace hindcast
