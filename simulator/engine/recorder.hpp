// What a run is made of, as a recorder is told it: steps, each an interval of simulated time that a thread or a
// hardware part spends on something. There is a recorder from before the run on, or none, which costs a look at a
// pointer.
#pragma once

#include <cstdint>

#include "simulator/engine/events/event.hpp"
#include "simulator/engine/postponement.hpp"
#include "simulator/engine/units.hpp"

namespace hindcast {

class Thread;

// A sort of step, made of literals. Recorders keep its address: it stays where it is until the run has ended.
struct StepKind {
  // As people read it: "copy to the system buffer".
  const char* name = "";
  // The key in the machine's file that the time follows from; empty if it follows from others'.
  const char* parameter = "";
};

// Steps that always take the same time, and steps whose time grows with an amount: bytes, operations, hops.
struct FixedStep {
  StepKind kind;
  Time cost;
};
struct RatedStep {
  StepKind kind;
  Rate rate;
};

// A message, by the count of its sender, so that it has the same number however the run is executed. 0 is none.
using MessageId = std::uint64_t;
constexpr int message_count_bits = 40;
constexpr MessageId message_id(int sender, std::uint64_t count) {
  return (static_cast<MessageId>(sender) + 1) << message_count_bits | count;
}
// Answers that a rank gives when it is asked, in between what its program does, are counted by themselves: how many it
// has given by then depends on how the run is executed.
constexpr MessageId answers_from = MessageId{1} << (message_count_bits - 1);
constexpr MessageId answer_id(int sender, std::uint64_t count) { return message_id(sender, answers_from + count); }
constexpr int sender_of(MessageId message) { return static_cast<int>(message >> message_count_bits) - 1; }
constexpr std::uint64_t count_of(MessageId message) { return message & ((MessageId{1} << message_count_bits) - 1); }

// What the layers above say of a message where they mark it; they alone look into it. It lasts as long as the run.
struct MessageLabel;

struct Step {
  const StepKind* kind = nullptr;
  MessageId message = 0;  // on whose behalf
  Time begin;
  Time end;                             // equal to begin: something to be counted
  std::uint64_t amount = 0;             // what the time is in proportion to; 0 if it is fixed
  EventOrder order = 0;                 // of a thread's: its place among what the thread does at `begin`
  bool is_service = false;              // work on an arrival, put in between what the thread's program does
  int peer = -1;                        // of a message's marks: the other rank
  bool continues = false;               // the step before it, of the same kind, after others have had the processor
  const MessageLabel* label = nullptr;  // of a message's marks, if anybody has said anything
};

// A thread that has nothing to do until a handler tells it something; for the message that it was told of.
inline constexpr StepKind step_wait{"wait", ""};

// The same for one that has something to send, and no room for it.
inline constexpr StepKind step_wait_for_room{"wait for room", ""};
inline bool is_wait(const StepKind& kind) { return &kind == &step_wait || &kind == &step_wait_for_room; }

// A thread that others keep from the processor which they share.
inline constexpr StepKind step_wait_for_processor{"wait for the processor", ""};

// Marks of no length, with the message's bytes as amount, on the threads of its two sides: where the sender's call
// begins, and where the receiver's call ends that took it. Where hardware alone takes a message to its place, that it
// was received is marked in the hardware of the receiver's node.
struct MessageMarks {
  StepKind sent;
  StepKind received;
};
inline constexpr MessageMarks marks_of_messages{{"message sent", ""}, {"message received", ""}};
// Of messages that a library sends for itself, inside a collective operation.
inline constexpr MessageMarks marks_of_library_messages{{"message of the library sent", ""},
                                                        {"message of the library received", ""}};

// Of a put, with its bytes as amount: a mark in the hardware of the node in whose memory its data is from then on. No
// call receives it.
inline constexpr StepKind mark_of_put_data{"put data in place", ""};

class Recorder {
 public:
  // At the thread's clock, which may be ahead of the engine's now: until then put_off() may move the step. It never
  // ends before now. Of one thread, steps of its own do not overlap.
  virtual void on_thread(const Thread& thread, const Step& step) = 0;
  // In the hardware of a node, in an event. It may lie in the future, and is not moved any more.
  virtual void in_hardware(int node, const Step& step) = 0;
  // What the thread has done ahead of the clock, and work on arrivals, is put off.
  virtual void put_off(const Thread& thread, const Postponement& postponement) = 0;

 protected:
  ~Recorder() = default;
};

}  // namespace hindcast
