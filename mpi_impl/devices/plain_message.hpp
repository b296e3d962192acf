// The messages of the plain device, and what all its ranks share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "mpi_impl/devices/device.hpp"
#include "mpi_impl/matching/index.hpp"
#include "simulator/engine/buffer_pool.hpp"
#include "simulator/hardware/network.hpp"

namespace hindcast::mpi {

class PlainDevice;

// What the machine's file says of its message library.
struct PlainCosts {
  Time send_overhead;
  Time receive_overhead;
  Time poll;        // a look for progress that finds none
  Time service;     // the processor's work on an arrival, where it is needed
  Time clock_read;  // and other calls that do not communicate
  Rate copy;
  Rate combine;
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

struct Message : Transfer, matching::Item {
  PlainDevice* sender = nullptr;  // of this transfer
  PlainDevice* receiver = nullptr;
  MessageKind kind = MessageKind::eager;
  bool is_unexpected = false;
  bool is_captured = false;  // the payload is a copy of its own: the buffer was released before delivery
  int receiver_rank = 0;
  const void* payload = nullptr;
  Bytes payload_bytes;
  SendOperation* send = nullptr;  // null once its buffer has been released
  ReceiveOperation* receive = nullptr;
  Time handled_at;
  std::byte short_payload[24];
};

// A receive that waits for its message, from the time on at which it is posted. Its order is also that of what its
// match starts, if the message was there first.
struct PostedReceive : matching::Item, Mark {
  ReceiveOperation* operation = nullptr;

  // It stands in the operation itself.
  static PostedReceive& in(ReceiveOperation& receive) {
    return *std::launder(reinterpret_cast<PostedReceive*>(receive.device_room));
  }
};
static_assert(sizeof(PostedReceive) <= sizeof(ReceiveOperation::device_room));

// What a message's sender, and its arrival, have to know of the other side: of all ranks in little memory, as that of
// each has mostly left the caches.
struct PlainPeer {
  PlainDevice* device;
  int node;
  const Thread* waiting = nullptr;  // when it waited last
  const void* waits_at = nullptr;   // in its stack, near what it had posted
};

// The part of the plain library that belongs to no rank.
class PlainMachine final : public EventSink, public TransferSink {
 public:
  PlainMachine(Engine& engine, Network& network, const PlainCosts& costs)
      : engine_(engine), network_(network), costs_(costs) {}

  Engine& engine() { return engine_; }
  const PlainCosts& costs() const { return costs_; }

  void add(PlainDevice& device, int node) { peers_.push_back({&device, node}); }
  PlainPeer& peer(int rank) { return peers_[static_cast<std::size_t>(rank)]; }

  Message& new_message();
  void free_message(Message& message);
  void capture(Message& message);
  void deliver(Message& message, ReceiveOperation& receive);

  void submit(Message& message) { network_.submit(message); }
  void fire(const Event& event) override;  // a message's start
  void entered(Transfer& transfer) override;
  void arrived(Transfer& transfer) override;

 private:
  Engine& engine_;
  Network& network_;
  PlainCosts costs_;
  BufferPool pool_;
  std::vector<PlainPeer> peers_;  // by rank
};

}  // namespace hindcast::mpi
