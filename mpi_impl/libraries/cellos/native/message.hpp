// A message of CellOS, from the call that sends it until it has been copied out of the receiver's ring buffer.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mpi_impl/libraries/cellos/native/costs.hpp"
#include "mpi_impl/libraries/cellos/native/send_buffer.hpp"
#include "mpi_impl/matching/index.hpp"
#include "simulator/engine/thread.hpp"
#include "simulator/hardware/network/network.hpp"
#include "simulator/hardware/node/done_sink.hpp"
#include "simulator/hardware/node/program_arrays.hpp"
#include "simulator/hardware/node/strided.hpp"

namespace hindcast::cellos {

class Cell;
struct Broadcast;

// Types are of 16 bits.
constexpr int type_max = 65535;

// A send that stays in its call until the message is on the net.
struct LineSending {
  Thread* thread;
  bool entered = false;
  Time injected;
};

// Whom a message tells that it has entered the net.
enum class ToldOfEntry : std::uint8_t { nobody, send_buffer, line, done_sink };

// What the way of a message from its sender's memory to the net looks at, in two lines of this computer's cache.
struct MessageOut : Transfer {
  Cell* sender = nullptr;
  Cell* receiver = nullptr;
  void** lent_at = nullptr;  // while the payload is the sender's memory: where the sender has noted the message
  union {
    SendBuffer* buffer;  // where it lies until it is on the net
    LineSending* line;
    DoneSink* sent;  // told when its last byte is on the net
  };
  ToldOfEntry told_of_entry : 8 = ToldOfEntry::nobody;
  std::uint64_t copied_bytes : 56 = 0;  // to the send buffer
  PlaceInArray source;                  // of these: where the program has them
};
static_assert(sizeof(MessageOut) <= 128);

// Where a payload lies. One that is short is in the message itself; one in its sender's memory is not captured yet.
enum class PayloadIn : std::uint8_t { nothing, message, pool, senders_memory, broadcast };

// What its receiver looks at, in one line with its key.
struct MessageIn {
  Space space = Space::plain;
  PayloadIn payload_in = PayloadIn::nothing;
  bool is_notice = false;    // for the library above, which gets it when it arrives: nobody receives it
  std::uint8_t purpose = 0;  // a notice's, and of the library above
  bool must_enter = false;   // the same: its sender goes on, or has to, before it is received
  bool announces = false;    // the same: it tells of messages to come, which are received with it
  bool holds_bus = false;    // of a broadcast: a call waits for it, until whose copy is over the bus is its own
  Bytes payload_bytes;
  union {
    void* payload;
    std::byte short_payload[16];
  };
  void* note = nullptr;      // of the library above: travels with the message
  void* taken_by = nullptr;  // the same: at the receiver

  const std::byte* data() const {
    return payload_in == PayloadIn::message ? short_payload : static_cast<const std::byte*>(payload);
  }
};

// Its key: the domain (0 in the plain space), the sender's cell and the type.
struct alignas(64) Message : MessageOut, MessageIn, matching::Item {
  // Of those that share a broadcast's data, and only there.
  Broadcast* broadcast;
  Time is_heard_at;  // when the system has dealt with its interruption

  bool is_misaligned(const Costs& costs) const {
    return costs.is_misaligned(space, payload_in == PayloadIn::broadcast);
  }
};
static_assert(sizeof(MessageOut) + sizeof(MessageIn) + sizeof(matching::Key) <= 192);
static_assert(sizeof(Message) <= 256);

// Somebody who waits for a message. Where the library above runs ahead of the clock, it is also an instant of a thread.
struct Expected;
class Taker {
 public:
  // In a handler: a message has arrived that was expected. It is in no list any more, and neither is `expected`.
  virtual void take(Expected& expected, Message& message) = 0;
  // In a handler: whether a call waits for it in the kernel now, so that the data can go straight to the program.
  virtual bool is_waiting(const Expected& expected) const = 0;
  // A message will be taken soon: fetches what take() looks at (simulator/engine/fetching.hpp). The lines around
  // `expected` have been fetched before.
  virtual void fetch(const Expected&) const {}

 protected:
  ~Taker() = default;
};
struct Expected : matching::Item, Mark {
  Taker* taker = nullptr;
};

// A library above CellOS, told in handlers of what arrives for it.
class LibraryAbove {
 public:
  // A message that nobody expected has joined the queue.
  virtual void queued(Message& message) = 0;
  virtual void noticed(Message& notice) = 0;
  // One with a note, of a domain that is not registered, or is no longer: it goes.
  virtual void discarded(Message& message) = 0;
  // A notice, or a message with a note, to a rank that has gone: it goes.
  virtual void lost(Message& message) = 0;
  // On the rank's thread, which waits for room to send: what has come is worked on. Whether there is more.
  virtual void take_arrivals() = 0;
  virtual bool has_arrivals() const = 0;
  // In a handler: a message waits in its sender, because the ring buffer has no room.
  virtual void room_is_wanted() = 0;

 protected:
  ~LibraryAbove() = default;
};

}  // namespace hindcast::cellos
