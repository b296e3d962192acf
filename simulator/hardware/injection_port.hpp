// A node's port into the network: it takes one message at a time, in the order in which they were submitted.
#pragma once

#include "simulator/engine/event.hpp"
#include "simulator/hardware/channel.hpp"
#include "simulator/hardware/network.hpp"

namespace hindcast {

class InjectionPort {
 public:
  // Orders what this port causes among what happens at the same time.
  EventOwner owner;
  Channel channel;  // `free` is when the port can take the next message: the latency behind it is a pipeline

  bool takes_at_once(Time now) const { return first_ == nullptr && channel.free <= now; }
  bool has_waiting() const { return first_ != nullptr; }
  Transfer& front() { return *first_; }

  // Returns true if it is the only one that waits.
  bool queue(Transfer& transfer) {
    transfer.next = nullptr;
    const bool is_only = first_ == nullptr;
    (is_only ? first_ : last_->next) = &transfer;
    last_ = &transfer;
    return is_only;
  }
  Transfer& pop() {
    Transfer& transfer = *first_;
    first_ = transfer.next;
    return transfer;
  }

  // The head's time on the far side, if the message enters now.
  Time take(Time now, Time body) {
    channel.free = now + body;
    return now + channel.latency;
  }

 private:
  Transfer* first_ = nullptr;
  Transfer* last_ = nullptr;
};

}  // namespace hindcast
