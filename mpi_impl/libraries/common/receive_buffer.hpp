// How a message and its receive have met, and the memory of a program's that a message's data comes to.
#pragma once

#include <algorithm>

#include "mpi_impl/matching/index.hpp"
#include "simulator/engine/completion.hpp"
#include "simulator/engine/memory/copy_bytes.hpp"

namespace hindcast {

struct Match {
  Time at;
  bool is_in_buffer;  // the system's, from which it must be copied
};

// What a receive into memory of the program's tells whoever waits for it. A library's own adds how it is posted.
class ReceiveBuffer {
 public:
  ReceiveBuffer(void* data, Bytes room) : data_(data), room_(room) {}

  Completion over;  // and then it is known:
  matching::Key sent_as;
  Bytes bytes;  // as sent: there may be less room
  Bytes left_to_copy;

  Bytes room() const { return room_; }

 protected:
  // All but the end, which is told by `over` when the library has done with the message.
  template <typename Message>
  void fill(const Message& message, const Match& match) {
    sent_as = message.key;
    bytes = message.payload_bytes;
    const Bytes received = std::min(bytes, room_);
    if (received > Bytes()) copy_bytes(data_, message.payload, received.count());
    left_to_copy = match.is_in_buffer ? received : Bytes();
    over.message = message.message;
  }

 private:
  void* data_;
  Bytes room_;
};

}  // namespace hindcast
