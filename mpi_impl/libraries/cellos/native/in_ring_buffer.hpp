// Of the messages in a mailbox's queue, those that lie in the ring buffer: not those which have been copied out of it
// before somebody received them. A full ring buffer is asked about it with each message that finds no room, and holds
// thousands: so they are kept in the order in which they came, with what they take up together.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "mpi_impl/libraries/cellos/native/message.hpp"

namespace hindcast::cellos {

class InRingBuffer {
 public:
  explicit InRingBuffer(const std::vector<Message*>& queue) {
    for (Message* message : queue)
      if (message->bytes > Bytes()) add(*message);
  }

  // The one that came first; null if there is none.
  Message* first() const { return by_turn_.empty() ? nullptr : by_turn_.begin()->second; }
  Bytes bytes() const { return bytes_; }

  // It is the last that came.
  void add(Message& message) {
    by_turn_.emplace_hint(by_turn_.end(), message.turn, &message);
    bytes_ = bytes_ + message.bytes;
  }
  // What has been copied out is not among them any more.
  void remove(const Message& message) {
    if (by_turn_.erase(message.turn) > 0) bytes_ = Bytes(bytes_.count() - message.bytes.count());
  }
  void enlarged(Bytes by) { bytes_ = bytes_ + by; }

 private:
  std::map<std::uint64_t, Message*> by_turn_;
  Bytes bytes_;
};

}  // namespace hindcast::cellos
