// The messages of MPL, and the receives that take them.
//
// MPL matches by a type and the task that sent. The context beside them is the simulation's: what is built on MPL has
// one for itself, so that a program's own calls never see its messages.
#pragma once

#include "mpi_impl/libraries/common/attachment.hpp"
#include "mpi_impl/libraries/common/receive_buffer.hpp"
#include "mpi_impl/matching/index.hpp"
#include "simulator/engine/completion.hpp"
#include "simulator/hardware/network/network.hpp"

namespace hindcast::mpl {

class Node;

constexpr std::uint32_t context_of_programs = 0;
constexpr std::uint32_t context_of_groups = 1;

// What a library on MPL puts before a message's data, in one piece with it: it counts as so many bytes, whatever the
// simulation has of it.
using Prefix = AttachmentOf<48>;

// What a send is told.
struct Outgoing {
  int to;  // a task of the partition
  matching::Key key;
  const void* data = nullptr;
  Bytes bytes;
  Completion* sent = nullptr;  // if given, completes when the program may use its memory again
  MessageId message = 0;       // if given, the number of the message that this one is a part of
  Prefix prefix = {};

  Bytes whole() const { return prefix.bytes() + bytes; }
};

// Records are used again and never freed before the run ends.
struct Message : Transfer, matching::Item {
  bool is_captured = false;  // its payload is a copy of its own
  Node* receiver = nullptr;
  const void* payload = nullptr;
  Bytes payload_bytes;
  Completion* sent = nullptr;
  Time arrived_at;
  Prefix prefix;

  Bytes whole() const { return prefix.bytes() + payload_bytes; }
};

// A receive, from when it is posted until it takes its message.
class Receive : public matching::Item {
 public:
  // In a handler, or by the thread that posts it. The message is the receive's from now on: it gives it back by
  // System::free_message.
  virtual void take(Message& message, const Match& match) = 0;

  Time posted_at;

 protected:
  ~Receive() = default;
};

// A receive into memory of the program's.
class BufferReceive final : public Receive, public ReceiveBuffer {
 public:
  using ReceiveBuffer::ReceiveBuffer;

 private:
  void take(Message& message, const Match& match) override;
};

// A receive that keeps its message as it has come, for a library that does not know what it will be. Whoever has waited
// for it frees the message.
class MessageReceive final : public Receive {
 public:
  Completion over;  // and then it is known:
  Message* message = nullptr;
  Bytes left_to_copy;

 private:
  void take(Message& taken, const Match& match) override {
    message = &taken;
    left_to_copy = match.is_in_buffer ? taken.whole() : Bytes();
    over.message = taken.message;
    over.complete(match.at);
  }
};

}  // namespace hindcast::mpl
