// The acts of a thread that have not fired, where interruptions may still put them off: in the order of their times.
// Only the first of them is an event of the engine's, on behalf of the thread.
#pragma once

#include <algorithm>
#include <optional>

#include "simulator/engine/events/event.hpp"
#include "simulator/engine/fifo.hpp"
#include "simulator/engine/postponement.hpp"

namespace hindcast {

class Thread;

class MovableActs {
 public:
  explicit MovableActs(Thread& thread) : thread_(thread) {}

  void put(const Event& event);
  // The act whose time has come with an event of the thread's. Nothing if another has overtaken it since, or if it has
  // been put off: then there will be another event.
  std::optional<Event> take_due(const Event& event);
  // Once it has fired, which often puts off those that come later: until then these are no events.
  void schedule_next();
  void put_off(const Postponement& postponement);
  void fetch() const { acts_.fetch(2); }
  // What the first of them is about, and those at the same instant: as events they follow at once.
  void fetch_for_next(FetchLevel level) const {
    const Event* const end = acts_.begin() + std::min(acts_.size(), fetched_max);
    for (const Event* act = acts_.begin(); act != end && act->at == acts_.front().at; ++act)
      act->sink->fetch(*act, level);
  }
  bool has_before(const Event& event) const { return !acts_.empty() && first() < event; }

 private:
  Event first() const {
    Event act = acts_.front();
    act.at += delay_;
    return act;
  }
  void schedule_first();

  static constexpr std::size_t fetched_max = 4;

  Thread& thread_;
  Fifo<Event> acts_;  // all of them are `delay_` later than is kept here
  Time delay_;
  EventOrder scheduled_ = 0;  // which of them the engine has, and when
  Time scheduled_at_ = Time::never();
  Time none_before_ = Time::never();  // while an act fires: the instant after which none is an event yet
};

}  // namespace hindcast
