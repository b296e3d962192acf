// A rank on a way: until when it receives messages and works on each.
#pragma once

#include <algorithm>
#include <span>

#include "mpi_impl/collectives/costs/cost_model.hpp"

namespace hindcast::mpi {

class Receiver {
 public:
  Receiver(const CostModel& machine, double begin) : Receiver(machine, begin, begin) {}
  // Its receives are ready before it comes to wait for them.
  Receiver(const CostModel& machine, double ready, double waits) : machine_(machine), until_(waits), ready_(ready) {}

  double until() const { return until_; }
  // What comes from now on finds a receive.
  void get_ready() { ready_ = until_; }

  struct Message {
    double accepted;  // if the receiver has nothing else to do
    double bytes;
    double work;
  };
  void receive(const Message& message) { receive_together({&message, 1}); }
  // Accepts them when all are there.
  void receive_together(std::span<const Message> messages) {
    for (const Message& message : messages) until_ = std::max(until_, message.accepted - between(message));
    for (const Message& message : messages) {
      const bool has_waited = message.accepted - between(message) < ready_;
      until_ += between(message) + (has_waited ? machine_.waiting_message(message.bytes) : 0) + message.work;
    }
  }

 private:
  double between(const Message& message) const { return machine_.between_receives(message.bytes); }

  const CostModel& machine_;
  double until_;
  double ready_;
};

}  // namespace hindcast::mpi
