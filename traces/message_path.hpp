// Where the time of one message went: the steps that led from the sender's call to the end of the receiver's, or until
// hardware has brought the data to its place.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "traces/message_label.hpp"
#include "traces/recorded_step.hpp"

namespace hindcast::traces {

// All events of a run, kept.
class StepList final : public Sink {
 public:
  void add(const RecordedStep& event) override { events_.push_back(event); }
  const std::vector<RecordedStep>& events() const { return events_; }

 private:
  std::vector<RecordedStep> events_;
};

// As people name it: its sender, and which of the sender's it is.
std::string name_of(MessageId message);

struct MessageTrip {
  MessageId id = 0;
  int sender = 0;
  int receiver = 0;
  std::uint64_t bytes = 0;
  bool is_of_library = false;  // sent inside a collective operation
  Time sent;
  std::optional<Time> received;
  const MessageLabel* label = nullptr;  // as it was sent; null of other messages than MPI's
  const char* sent_by = nullptr;        // the calls, MPI's or of a machine's own library; null: none is known
  const char* received_by = nullptr;
  bool ends_in_hardware = false;  // which brings the data to its place: no call receives it
};

// In the order in which they were sent. What the calls of messages without a label were is known if the run has marked
// all calls.
std::vector<MessageTrip> messages_in(const std::vector<RecordedStep>& events);

// A step on the way, or a gap between two, in which nothing was done for the message.
struct PathStep {
  const RecordedStep* event = nullptr;  // null: a gap
  std::string gap;                      // what the gap is
  std::string meanwhile;                // what was done in it by the rank that the message waits for
  Place place;
  Time begin;
  Time end;
};

struct MessagePath {
  std::vector<PathStep> steps;              // end to end, from `sent` to `received`
  std::vector<const RecordedStep*> beside;  // done for the message, or waited for it, at the same time
};

// Of a message that has been received. `nodes` tells the node of each rank. The path is found by walking back from the
// end through steps of the message that end where the next one begins.
MessagePath path_of(const MessageTrip& trip, const std::vector<RecordedStep>& events, const std::vector<int>& nodes);

}  // namespace hindcast::traces
