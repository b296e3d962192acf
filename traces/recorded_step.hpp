// The steps of a run as they finally were: one stream of them, for writers, counters and whoever explains a message.
#pragma once

#include <compare>
#include <cstdint>

#include "simulator/engine/recorder.hpp"

namespace hindcast::traces {

// Where a step was taken: on a thread of a rank, or in the hardware of a node.
struct Place {
  enum class Kind : std::uint8_t { thread, node };
  Kind kind = Kind::thread;
  int number = 0;  // of the rank or of the node
  int thread = 0;  // of the rank's threads
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct RecordedStep {
  const StepKind* kind = nullptr;
  Place place;
  MessageId message = 0;
  Time begin;
  Time end;
  std::uint64_t amount = 0;
  int peer = -1;
  bool is_service = false;  // work on an arrival
  bool continues = false;   // the rest of a step that such work has interrupted; the amount is told by the first part
  const MessageLabel* label = nullptr;  // of a message's marks
};

// Told of all events of a run, in an order that follows from what happened alone: by their ends, then by place.
class Sink {
 public:
  virtual void add(const RecordedStep& event) = 0;

 protected:
  ~Sink() = default;
};

}  // namespace hindcast::traces
