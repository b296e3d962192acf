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

  // Later than all that were left before.
  void leave(const Instant& instant) {
    instants_.push_back({instant.at - delay_, instant.busy_until - delay_, instant.order});
    last_at_ = instant.at;
    last_end_ = instant.at;
  }
  // At the last one that was left.
  void work_until(Time end) {
    if (!instants_.empty() && instants_.back().at + delay_ == last_at_) instants_.back().busy_until = end - delay_;
    last_end_ = end;
  }

  void forget_before(Time instant) {
    while (!instants_.empty() && instants_.front().at + delay_ < instant) instants_.pop_front();
  }
  bool empty() const { return instants_.empty(); }
  void fetch() const { instants_.fetch(2); }
  Instant first() const {
    const Instant& kept = instants_.front();
    return {kept.at + delay_, kept.busy_until + delay_, kept.order};
  }
  void work_in_first_until(Time end) { instants_.front().busy_until = end - delay_; }

  // When the work in the last one ends, as far as is known; forgotten or not.
  Time last_end() const { return last_end_; }

  // Other work has the processor from `start` until `end`: what begins by then in one of these goes on after it.
  void keep_busy(Time start, Time end) {
    for (Instant& kept : instants_) {
      if (kept.at + delay_ > start) break;
      kept.busy_until = later_of(kept.busy_until, end - delay_);
    }
  }
  // A thread far ahead of the clock has many of them. All but the first few are put off, so it is these that are moved
  // the other way.
  void put_off(const Postponement& postponement) {
    if (instants_.empty()) return;
    for (Instant& kept : instants_) {
      if (postponement.comes_before(kept.at + delay_, kept.order)) break;
      kept.at = kept.at - postponement.cost();
      kept.busy_until = kept.busy_until - postponement.cost();
    }
    delay_ += postponement.cost();
    last_at_ = instants_.back().at + delay_;
    last_end_ = instants_.back().busy_until + delay_;
  }

 private:
  Fifo<Instant> instants_;  // by time; all of them are `delay_` later than is kept here
  Time delay_;
  Time last_at_;
  Time last_end_;
};

}  // namespace hindcast
