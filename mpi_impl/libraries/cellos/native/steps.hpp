// Who spends steps beside a thread itself: whoever wants to know what they cost, and handlers that have a thread's
// processor work at a time of their own choice.
#pragma once

#include "simulator/engine/thread.hpp"

namespace hindcast::cellos {

class CostOfSteps {
 public:
  void spend(const FixedStep& step, MessageId = 0) { sum_ += step.cost; }
  void spend(const RatedStep& step, std::uint64_t amount, MessageId = 0) { sum_ += step.rate.time_for(amount); }
  Time sum() const { return sum_; }

 private:
  Time sum_;
};

// One after the other from `at` on, told to the recorder if there is one: as work on an arrival or, with an order, as
// what the thread itself does in that place.
class ServedSteps {
 public:
  ServedSteps(Thread& thread, Time at, EventOrder own_order = 0) : thread_(thread), at_(at), own_order_(own_order) {}

  void spend(const FixedStep& step, MessageId message = 0) { spend(step.kind, step.cost, message, 0); }
  void spend(const RatedStep& step, std::uint64_t amount, MessageId message = 0) {
    spend(step.kind, step.rate.time_for(amount), message, amount);
  }
  Time at() const { return at_; }

 private:
  void spend(const StepKind& kind, Time cost, MessageId message, std::uint64_t amount) {
    if (own_order_ == 0)
      thread_.record_service(kind, at_, cost, message, amount);
    else if (thread_.is_recorded())
      thread_.engine().recorder()->on_thread(thread_, Step{&kind, message, at_, at_ + cost, amount, own_order_});
    at_ += cost;
  }

  Thread& thread_;
  Time at_;
  EventOrder own_order_;
};

}  // namespace hindcast::cellos
