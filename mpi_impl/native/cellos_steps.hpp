// Who takes steps beside a thread itself: whoever wants to know what they cost, and handlers that have a thread's
// processor work at a time of their own choice.
#pragma once

#include "simulator/engine/thread.hpp"

namespace hindcast::cellos {

class CostOfSteps {
 public:
  void take(const FixedStep& step, MessageId = 0) { sum_ += step.cost; }
  void take(const RatedStep& step, std::uint64_t amount, MessageId = 0) { sum_ += step.rate.time_for(amount); }
  Time sum() const { return sum_; }

 private:
  Time sum_;
};

// One after the other from `at` on, told to the recorder if there is one.
class ServedSteps {
 public:
  ServedSteps(Thread& thread, Time at) : thread_(thread), at_(at) {}

  void take(const FixedStep& step, MessageId message = 0) { take(step.kind, step.cost, message, 0); }
  void take(const RatedStep& step, std::uint64_t amount, MessageId message = 0) {
    take(step.kind, step.rate.time_for(amount), message, amount);
  }
  Time at() const { return at_; }

 private:
  void take(const StepKind& kind, Time cost, MessageId message, std::uint64_t amount) {
    thread_.record_service(kind, at_, cost, message, amount);
    at_ += cost;
  }

  Thread& thread_;
  Time at_;
};

}  // namespace hindcast::cellos
