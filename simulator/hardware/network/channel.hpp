// A link or a port, as messages reserve it.
#pragma once

#include "simulator/engine/units.hpp"

namespace hindcast {

struct Channel {
  Time free;     // when the tail of the last message that reserved it has left
  Time latency;  // of a message's head
  Bandwidth bandwidth;

  // Channels of a network are all zeros until the first route needs them.
  bool is_built() const { return !bandwidth.is_unlimited(); }

  // A message whose head comes in at `head` and whose length takes `body`; returns when its head is through.
  Time reserve(Time head, Time body) {
    const Time through = later_of(head + latency, free);
    free = through + body;
    return through;
  }
};

}  // namespace hindcast
