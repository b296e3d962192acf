// The instants ahead of the clock at which a thread, in a call that makes progress, has looked what has arrived, and
// how long the work there takes on what had arrived by then.
#pragma once

#include "simulator/engine/fifo.hpp"
#include "simulator/engine/postponement.hpp"

namespace hindcast {

class PollInstants {
 public:
  struct Instant {
    Time at;
    Time busy_until;
    EventOrder order;
  };

  void leave(const Instant& instant) {
    instants_.push_back(instant);
    last_at_ = instant.at;
    last_end_ = instant.at;
  }
  // At the last one that was left.
  void work_until(Time end) {
    if (!instants_.empty() && instants_.back().at == last_at_) instants_.back().busy_until = end;
    last_end_ = end;
  }

  void forget_before(Time instant) {
    while (!instants_.empty() && instants_.front().at < instant) instants_.pop_front();
  }
  bool empty() const { return instants_.empty(); }
  void fetch() const { instants_.fetch(2); }
  Instant& first() { return instants_.front(); }

  // When the work in the last one ends, as far as is known; forgotten or not.
  Time last_end() const { return last_end_; }

  // Other work has the processor from `start` until `end`: what begins by then in one of these goes on after it.
  void keep_busy(Time start, Time end) {
    for (Instant& instant : instants_)
      if (instant.at <= start) instant.busy_until = later_of(instant.busy_until, end);
  }
  void put_off(const Postponement& postponement) {
    for (Instant& instant : instants_) {
      const Time delay = postponement.delay_of(instant.at, instant.order);
      instant.at += delay;
      instant.busy_until += delay;
    }
    if (instants_.empty()) return;
    last_at_ = instants_.back().at;
    last_end_ = instants_.back().busy_until;
  }

 private:
  Fifo<Instant> instants_;  // by time
  Time last_at_;
  Time last_end_;
};

}  // namespace hindcast
