// The record of a message between endpoints that match for themselves.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

#include "mpi_impl/matching/index.hpp"
#include "mpi_impl/transport/operation.hpp"
#include "simulator/engine/memory/short_copy.hpp"
#include "simulator/engine/thread/marks.hpp"
#include "simulator/hardware/network/network.hpp"

namespace hindcast::mpi {

enum class MessageKind : std::uint8_t {
  eager,                // with its payload, whether or not a receive is posted
  request,              // asks to send a long payload, and is matched in its place
  clear,                // the receive is there
  data,                 // the long payload
  cancel,               // takes back a message that has not been matched
  cancelled,            // it was in time
  too_late_to_cancel,   // it was not
  handled,              // runs a handler at its target
  handled_at_any_time,  // the same, whatever others of its pair have come
};

inline bool is_for_handler(MessageKind kind) { return kind >= MessageKind::handled; }

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
    copy_short(short_payload_, data, payload_bytes.count());
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
  union {
    std::uint32_t place;        // among those of its pair, until it is its turn to be matched or handled
    ReceiveOperation* receive;  // of a long message, once it is matched
  };
  Time handled_at;  // of an unexpected one
};
static_assert(sizeof(Message) == 192);
static_assert(sizeof(MessageHead) <= 128);

// A receive that waits for its message, from the time on at which it is posted. Its order is also that of what its
// match starts, if the message was there first.
struct PostedReceive : Mark, matching::Item {
  // It stands in the operation itself. What is behind its time is then in a line of the cache of its own, which is
  // looked at only if the message came first, or many receives are posted.
  static PostedReceive& in(ReceiveOperation& receive) {
    return *std::launder(reinterpret_cast<PostedReceive*>(receive.endpoint_room));
  }
  ReceiveOperation& operation() { return ReceiveOperation::around(this); }
};
static_assert(sizeof(PostedReceive) <= sizeof(ReceiveOperation::endpoint_room));

// As much of it as a processor fetches at once.
inline void fetch_payload(const void* payload, Bytes bytes) {
  constexpr std::uint64_t bytes_max = 1023;
  fetch_lines(payload, 0, static_cast<int>(std::min(bytes.count(), bytes_max)) / cache_line + 1);
}

}  // namespace hindcast::mpi
