// Protocol messages: what the MPI libraries of the T3E send each other, to have a send and its receive meet and to tell
// how the data gets on. And what they keep of a send until the receiver has said that it is over.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mpi_impl/matching/index.hpp"
#include "mpi_impl/transport/endpoint.hpp"
#include "simulator/hardware/node/message_queue.hpp"

namespace hindcast::shmem {
class PeAnswer;
}

namespace hindcast::mpi {

class T3eEndpoint;
class T3eProtocol;

// A send whose receiver has still something to tell.
struct T3eOutgoing {
  T3eEndpoint* sender = nullptr;
  const T3eProtocol* protocol = nullptr;
  SendOperation* operation = nullptr;  // null once its completion is told and the program has its buffer back
  MessageId message = 0;
  SendMode mode = SendMode::standard;
  int source = 0;
  int destination = 0;
  const void* data = nullptr;
  Bytes bytes;
  bool is_in_library = false;  // the data: a copy
  bool counts_as_buffered = false;
  bool is_matched = false;            // by a receive
  shmem::PeAnswer* got_by = nullptr;  // what the receiver's get of the data waits for
  bool is_over = false;
  bool is_asked_to_cancel = false;
};

enum class T3ePurpose : std::uint8_t {
  first,   // to be matched: the message, or a request to send it
  answer,  // of the receiver: as the protocol has it
  last,    // of the sender, after that
  cancel,  // takes back a message that is not matched
  cancelled,
  too_late_to_cancel
};

struct PacketWithPurpose : QueueMessage {
  T3ePurpose purpose = T3ePurpose::first;
  bool lies_in_slots = false;  // the program's data
  int slots = 1;               // of a queue that has them
  const T3eProtocol* protocol = nullptr;
  Bytes bytes;                      // of the program's message
  T3eOutgoing* outgoing = nullptr;  // of the send that it is about, if that expects an answer
};

// The first three lines of the cache have all of one with little data.
struct T3eMessage : PacketWithPurpose, matching::Item {
  // The program's data, if it travels in the message: short data in the packet itself.
  std::byte short_data[56];
  std::byte* data_in_slots;
  ReceiveOperation* receive;  // that more is to come for, in an answer or the last one
  const std::byte* data() const { return lies_in_slots ? data_in_slots : short_data; }
};

inline matching::Key t3e_key(const Envelope& envelope) { return {envelope.context, envelope.source, envelope.tag}; }
inline matching::Key t3e_key(const Pattern& pattern) { return {pattern.context, pattern.source, pattern.tag}; }
inline Envelope envelope_of(const T3eMessage& message) {
  return {message.key.context, message.key.source, message.key.tag};
}

}  // namespace hindcast::mpi
