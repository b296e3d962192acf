// What methods have in common whose requests land in a queue at their target, at which a poll looks.
#pragma once

#include <deque>
#include <utility>

#include "mpi_impl/libraries/nexus/native/context.hpp"

namespace hindcast::nexus {

class QueueMethod : public Method {
 public:
  struct Costs {
    FixedStep send;
    FixedStep receive;
    FixedStep look;
  };

  QueueMethod(const MethodStart& start, std::string name, const Costs& costs)
      : Method(start, std::move(name)), costs_(costs) {}

  const FixedStep& look() const override { return costs_.look; }
  Time waits_since() const override { return queue_.empty() ? Time::never() : queue_.front().since; }
  Message* receive(const Wait&) override { return nullptr; }  // it does not block

  // In a handler.
  void land(Message& message, Time now) {
    queue_.push_back({&message, now});
    context_.has_come();
  }

 protected:
  const Costs& costs() const { return costs_; }
  // A message that has landed: the first.
  Message& first() {
    Message& message = *queue_.front().message;
    queue_.pop_front();
    return message;
  }
  // The other end's.
  QueueMethod& at(const Context& other) const { return *static_cast<QueueMethod*>(other.method(name())); }

 private:
  struct Landed {
    Message* message;
    Time since;
  };
  const Costs& costs_;
  std::deque<Landed> queue_;
};

}  // namespace hindcast::nexus
