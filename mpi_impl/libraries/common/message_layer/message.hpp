// The messages of a layer, and the receives that take them.
//
// A layer matches by three numbers: a context, a source and a tag. Each library on it has contexts of its own, of which
// it decides what source and tag are in them.
#pragma once

#include "mpi_impl/libraries/common/receive_buffer.hpp"
#include "mpi_impl/matching/index.hpp"
#include "simulator/engine/completion.hpp"
#include "simulator/hardware/network/network.hpp"

namespace hindcast::layer {

// What a send is told.
struct Outgoing {
  int to;  // a rank
  matching::Key key;
  const void* data = nullptr;
  Bytes bytes;
  const FixedStep* call = nullptr;     // what the call takes; null: what the layer's own does (Costs::send)
  Completion* sent = nullptr;          // if given, completes when the data has left the sender's memory
  Completion* acknowledged = nullptr;  // if given, completes when the sender knows that a receive has taken it
  MessageId number = 0;                // that its sender has taken already; 0: it gets the next
};

enum class MessageKind : std::uint8_t {
  data,
  acknowledgement,  // the record of a message that was taken, on its way back
  recall,           // asks for a message back that no receive has taken yet
  recalled,         // it was in time
  too_late          // it was not
};

// Records are used again and never freed before the run ends: who keeps a pointer to one, and the number of the message
// that it was, can tell whether it still is that one.
struct Message : Transfer, matching::Item {
  MessageKind kind = MessageKind::data;
  bool is_captured = false;  // its payload is a copy of its own
  bool is_waiting = false;   // it has come before its receive
  bool wants_acknowledgement = false;
  int sender = 0;  // ranks
  int receiver = 0;
  const void* payload = nullptr;
  Bytes payload_bytes;
  Completion* sent = nullptr;  // these two are null too if nobody is to be told any more
  Completion* acknowledged = nullptr;
  Message* wanted = nullptr;  // by a recall
  void* note = nullptr;       // of whoever recalls
  Time arrived_at;
};

// A receive, from when it is posted until it takes its message.
class Receive : public matching::Item {
 public:
  // In a handler, or by the thread that posts it. The payload is the message's until this returns.
  virtual void take(const Message& message, const Match& match) = 0;

  Time posted_at;
  EventOrder order;  // of what the match starts, if the message has come first

 protected:
  ~Receive() = default;
};

// A receive into a buffer.
class BufferReceive final : public Receive, public ReceiveBuffer {
 public:
  using ReceiveBuffer::ReceiveBuffer;

 private:
  void take(const Message& message, const Match& match) override {
    fill(message, match);
    over.complete(match.at);
  }
};

}  // namespace hindcast::layer
