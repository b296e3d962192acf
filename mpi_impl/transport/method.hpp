// A way by which messages go from rank to rank: through a memory that both share, over a network, over a wide area. A
// run has one, or several, of which each pair of ranks has those that reach from one to the other.
#pragma once

#include <cstddef>
#include <string>

#include "mpi_impl/transport/library_buffers.hpp"
#include "simulator/engine/recorder.hpp"
#include "simulator/hardware/network/network.hpp"

namespace hindcast::mpi {

// What a message costs its two ends, if it goes this way.
struct MethodCosts {
  FixedStep send;
  FixedStep receive;
  FixedStep service;  // the processor's work on an arrival, where the library's progress needs it
  Bytes eager_limit;  // longer messages ask for leave before they travel
  Bytes header;
  // A short message's payload is copied to where the receiver finds it, and not moved by what carries the message: the
  // receiver copies it out in any case.
  bool leaves_payload_to_processors = false;
  const LibraryBuffers* buffers = nullptr;  // null: payloads are moved from where they lie to where they belong
  const RatedStep* pace = nullptr;          // of what feeds the network, if that may be slower than its path
  const FixedStep* signal = nullptr;        // tells that a handler has done its work; null: a message like others does
};

struct Method {
  std::string name;  // "memory"; empty if the run has but one
  MethodCosts costs;
  Network* network;        // that carries its messages
  std::size_t number = 0;  // among those of the run
  // Whether messages of a pair that has this method may overtake each other: they are numbered then.
  bool may_overtake = true;

  // Of a message with so many bytes of payload.
  Bytes carried(Bytes payload, bool is_eager) const {
    return is_eager && costs.leaves_payload_to_processors ? costs.header : costs.header + payload;
  }
};

}  // namespace hindcast::mpi
