// The messages of the plain device, and what all its ranks share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "mpi_impl/libraries/common/local_costs.hpp"
#include "mpi_impl/matching/index.hpp"
#include "mpi_impl/transport/device.hpp"
#include "simulator/engine/buffer_pool.hpp"
#include "simulator/hardware/network/network.hpp"

namespace hindcast::mpi {

class PlainDevice;

// What the machine's file says of its message library.
struct PlainCosts {
  FixedStep send;
  FixedStep receive;
  Time poll;          // a look for progress that finds none
  FixedStep service;  // the processor's work on an arrival, where it is needed
  LocalCosts local;
  Bytes eager_limit;
  Bytes header;
  Progress progress = Progress::hardware;
};

enum class MessageKind : std::uint8_t {
  eager,              // with its payload, whether or not a receive is posted
  request,            // asks to send a long payload, and is matched in its place
  clear,              // the receive is there
  data,               // the long payload
  cancel,             // takes back a message that has not been matched
  cancelled,          // it was in time
  too_late_to_cancel  // it was not
};

// What most messages need of their record, in two lines of the cache.
struct MessageHead : Transfer {
  static constexpr std::size_t short_bytes_max = 16;

  Envelope envelope;
  MessageKind kind = MessageKind::eager;
  bool is_short = false;       // its payload stands here, from the beginning
  bool is_captured = false;    // its payload is a copy of its own: the buffer was released before delivery
  bool is_unexpected = false;  // it has come before its receive
  int sender_rank = 0;         // of this transfer
  int receiver_rank = 0;
  const void* payload = nullptr;
  Bytes payload_bytes;

  // Null once the sender's buffer has been released.
  SendOperation* send() const { return is_short ? nullptr : send_; }
  void set_send(SendOperation* send) {
    is_short = false;
    send_ = send;
  }
  void take_short(const void* data) {
    is_short = true;
    payload = short_payload_;
    if (payload_bytes > Bytes()) std::memcpy(short_payload_, data, payload_bytes.count());
  }

 private:
  union {
    SendOperation* send_;
    std::byte short_payload_[short_bytes_max];
  };
};

// Records are used again and never freed before the run ends: who keeps a pointer to one, and the number of the message
// that it was, can tell whether it still is that one.
struct alignas(64) Message : MessageHead, matching::Item {
  ReceiveOperation* receive;  // of a long message, once it is matched
  Time handled_at;            // of an unexpected one
};
static_assert(sizeof(MessageHead) <= 128);

// A receive that waits for its message, from the time on at which it is posted. Its order is also that of what its
// match starts, if the message was there first.
struct PostedReceive : Mark, matching::Item {
  // It stands in the operation itself. What is behind its time is then in a line of the cache of its own, which is
  // looked at only if the message came first, or many receives are posted.
  static PostedReceive& in(ReceiveOperation& receive) {
    return *std::launder(reinterpret_cast<PostedReceive*>(receive.device_room));
  }
  ReceiveOperation& operation() { return ReceiveOperation::around(this); }
};
static_assert(sizeof(PostedReceive) <= sizeof(ReceiveOperation::device_room));

// As much of it as a processor fetches at once.
inline void fetch_payload(const void* payload, Bytes bytes) {
  constexpr std::uint64_t bytes_max = 1023;
  fetch_lines(payload, 0, static_cast<int>(std::min(bytes.count(), bytes_max)) / cache_line + 1);
}

// What a message's sender, and its arrival, have to know of the other side: of all ranks in little memory, as that of
// each has mostly left the caches.
struct PlainPeer {
  PlainDevice* device;
  int node;
  const Thread* thread = nullptr;
};

// The part of the plain library that belongs to no rank.
class PlainMachine final : public EventSink, public TransferSink {
 public:
  PlainMachine(Engine& engine, Network& network, const PlainCosts& costs)
      : engine_(engine), network_(network), costs_(costs) {}

  Engine& engine() { return engine_; }
  const PlainCosts& costs() const { return costs_; }

  void add(PlainDevice& device, int node, const Thread& thread) { peers_.push_back({&device, node, &thread}); }
  PlainPeer& peer(int rank) { return peers_[static_cast<std::size_t>(rank)]; }

  Message& new_message();
  void free_message(Message& message);
  // Null if it has been delivered.
  Message* message_of(const SendOperation& send) const {
    auto* message = static_cast<Message*>(send.device_state);
    return message != nullptr && message->message == send.message ? message : nullptr;
  }
  void capture(Message& message);
  void deliver(Message& message, ReceiveOperation& receive);

  void submit(Message& message) { network_.submit(message); }
  void fire(const Event& event) override;  // a message's start
  void fetch(const Event& start, FetchLevel level) const override;
  void entered(Transfer& data) override;
  void arrived(Transfer& transfer) override;
  void fetch(const Transfer& transfer, FetchLevel level) const override;
  // Who is told how a message of this kind gets on.
  TransferSink& sink_of(MessageKind kind) {
    if (kind == MessageKind::data) return *this;
    return without_entry_;
  }

 private:
  // Nothing happens when it enters the network, and its record is not looked at.
  struct WithoutEntry final : TransferSink {
    explicit WithoutEntry(PlainMachine& of) : machine(of) {}
    void entered(Transfer&) override {}
    void arrived(Transfer& transfer) override { machine.arrived(transfer); }
    void fetch(const Transfer& transfer, FetchLevel level) const override { machine.fetch(transfer, level); }
    PlainMachine& machine;
  };

  void add_messages();

  Engine& engine_;
  Network& network_;
  PlainCosts costs_;
  WithoutEntry without_entry_{*this};
  BufferPool pool_;  // for payloads
  std::vector<std::unique_ptr<Message[]>> all_messages_;
  Transfer* free_messages_ = nullptr;  // linked by `next`
  std::vector<PlainPeer> peers_;       // by rank
};

}  // namespace hindcast::mpi
