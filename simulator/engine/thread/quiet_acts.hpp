// Acts of a thread that nobody notices before a handler asks for them, so that they take no event.
#pragma once

#include "simulator/engine/engine.hpp"
#include "simulator/engine/fifo.hpp"
#include "simulator/engine/postponement.hpp"

namespace hindcast {

class QuietActs {
 public:
  explicit QuietActs(const Engine& engine) : engine_(engine) {}

  // Most come in the order of their times, and those that are due then go here. A handler may put one before others.
  void put(const Event& act) {
    while (!acts_.empty() && engine_.has_passed(acts_.front())) fire_first();
    if (acts_.empty() || acts_.back() < act)
      acts_.push_back(act);
    else
      put_before_later(act);
  }

  void fire_due() {
    while (!acts_.empty() && engine_.has_passed(acts_.front())) fire_first();
  }

  bool empty() const { return acts_.empty(); }
  void fetch() const { acts_.fetch(); }
  Event take_first() {
    const Event first = acts_.front();
    acts_.pop_front();
    return first;
  }

  // Those that are due have happened, though nobody has asked yet.
  void put_off(const Postponement& postponement) {
    for (Event& act : acts_)
      if (!engine_.has_passed(act)) act.at += postponement.delay_of(act.at, act.order);
    acts_.put_in_order();
  }

 private:
  void put_before_later(const Event& act) {
    auto before = acts_.end();
    while (before != acts_.begin() && act < *(before - 1)) --before;
    acts_.insert(before, act);
  }

  void fire_first() {
    const Event first = take_first();
    first.sink->fire(first);
  }

  const Engine& engine_;
  Fifo<Event> acts_;  // in the order in which they happen
};

}  // namespace hindcast
