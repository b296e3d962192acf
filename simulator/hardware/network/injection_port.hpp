// A node's port into the network: it takes one message at a time, in the order in which they were submitted.
#pragma once

#include "simulator/engine/events/event.hpp"
#include "simulator/hardware/network/channel.hpp"
#include "simulator/hardware/network/transfer_queue.hpp"

namespace hindcast {

class InjectionPort {
 public:
  // Orders what this port causes among what happens at the same time.
  EventOwner owner;
  Channel channel;  // `free` is when the port can take the next message: the latency behind it is a pipeline
  TransferQueue waiting;

  bool takes_at_once(Time now) const { return waiting.empty() && channel.free <= now; }

  // The head's time on the far side, if the message enters now.
  Time take(Time now, Time body) {
    channel.free = now + body;
    return now + channel.latency;
  }
};

}  // namespace hindcast
