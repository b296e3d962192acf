// The acts of a thread that have not fired, where interruptions may still put them off: in the order of their times.
// Only the first of them is an event of the engine's, on behalf of the thread.
#pragma once

#include <optional>

#include "simulator/engine/event.hpp"
#include "simulator/engine/fifo.hpp"
#include "simulator/engine/postponement.hpp"

namespace hindcast {

class Thread;

class MovableActs {
 public:
  explicit MovableActs(Thread& thread) : thread_(thread) {}

  void put(const Event& act);
  // The act whose time has come with an event of the thread's. Nothing if another has overtaken it since, or if it has
  // been put off: then there will be another event.
  std::optional<Event> take_due(const Event& event);
  // Once it has fired, which often puts off those that come later: until then these are no events.
  void schedule_next();
  void put_off(const Postponement& postponement);
  void fetch() const { acts_.fetch(2); }
  // What the first of them is about.
  void fetch_for_first(FetchLevel level) const {
    if (!acts_.empty()) acts_.front().sink->fetch(acts_.front(), level);
  }
  bool has_before(const Event& event) { return !acts_.empty() && acts_.front() < event; }

 private:
  void schedule_first();

  Thread& thread_;
  Fifo<Event> acts_;
  EventOrder scheduled_ = 0;  // which of them the engine has, and when
  Time scheduled_at_ = Time::never();
  Time none_before_ = Time::never();  // while an act fires: the instant after which none is an event yet
};

}  // namespace hindcast
