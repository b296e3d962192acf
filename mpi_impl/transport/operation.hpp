// What is sent and received, described for whoever does it, and what becomes known of it: operations in progress.
#pragma once

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "simulator/engine/completion.hpp"
#include "simulator/engine/units.hpp"

namespace hindcast::mpi {

// What travels with a message. `source` is a rank of the communicator that `context` stands for.
struct Envelope {
  std::uint32_t context = 0;
  std::int32_t source = 0;
  std::int32_t tag = 0;
  bool operator==(const Envelope&) const = default;
};

// What a receive or a probe asks for.
struct Pattern {
  static constexpr std::int32_t any = -1;
  std::uint32_t context = 0;
  std::int32_t source = any;
  std::int32_t tag = any;
  bool takes(const Envelope& envelope) const {
    return context == envelope.context && (source == any || source == envelope.source) &&
           (tag == any || tag == envelope.tag);
  }
};

enum class SendMode : std::uint8_t { standard, synchronous, ready };

// Data that does not lie together: so many items of so many bytes, each so far behind the one before.
struct Items {
  void* first;
  std::uint64_t count;
  std::uint64_t bytes;
  std::int64_t stride;
};

// How a payload comes into a receive's buffer, if not by a copy.
class Landing {
 public:
  // `opposite` is what the sender awaits from this receiver meanwhile, if it has said so.
  virtual void land(const void* payload, Bytes bytes, Landing* opposite) = 0;

 protected:
  ~Landing() = default;
};

// An operation in progress. Once its completion holds, the thread that finishes it calls Endpoint::finish, once. Its
// message is known once a send has begun, or a receive completed.
//
// With many ranks each cache line of an operation that is touched is one that comes from afar. So these are laid out by
// when they are looked at: first, in 32 bytes, all that the end of a send is about, flags included, then what the
// endpoint reads of a send; or what an arrival writes of a receive and its end reads.
struct Operation : Completion {
  bool cancelled = false;
  bool is_nonblocking = false;  // the program goes on, and leaves the data alone until the operation is over
  bool is_staged = false;       // the program's elements do not lie together, so that they are on their way elsewhere
};

struct SendOperation : Operation {
  SendMode mode = SendMode::standard;
  bool cancel_in_progress = false;     // it is kept until the receiver has answered
  bool is_buffered : 1 = false;        // its call must return, whether or not it is received
  bool may_be_in_backlog : 1 = false;  // a later call may do it, as the program goes on and nothing else is under way
  bool is_captured = false;            // the endpoint does not need its buffer, nor the operation, any more
  void* endpoint_state = nullptr;      // the endpoint's own, while in progress

  const void* data = nullptr;
  const Items* items = nullptr;  // the data lies there, and not at `data`: the endpoint moves them
  Bytes bytes;
  Envelope envelope;
  int destination = 0;          // a rank of the engine's
  Landing* opposite = nullptr;  // of what comes from the destination in exchange, as long as this is in progress
};

struct ReceiveOperation : Operation {
  ReceiveOperation() {}  // what is not set here is left as it is: lines that may never be looked at

  bool is_part = false;            // of a broadcast: as much as there is room for, the rest is for others
  bool is_blocking = false;        // the thread waits for it right after, and for nothing else
  bool is_in_items = false;        // the data has gone there, and not to `data`
  bool is_left_to_copy = false;    // by the processor, once it has completed
  void* endpoint_state = nullptr;  // the endpoint's own, while in progress

  void* data = nullptr;
  Landing* landing = nullptr;  // used, and then null, or left to the receiver
  Bytes capacity;
  Bytes bytes;        // as sent: more than the capacity means that it was cut off
  Envelope envelope;  // of what was received
  Pattern pattern;
  alignas(8) std::byte endpoint_room[96];  // the endpoint's own, while in progress

  // The operation that has its endpoint's room here.
  static ReceiveOperation& around(void* endpoint_room);

  Bytes received() const { return std::min(bytes, capacity); }
  Bytes left_to_copy() const { return is_left_to_copy ? received() : Bytes(); }

  // If the data may go there instead; else null.
  const Items* items() const { return is_staged ? items_ : nullptr; }
  void stage(const Items* items) {
    is_staged = true;
    items_ = items;
  }
  // Of the whole, before the part.
  Bytes skipped() const { return is_part ? Bytes(skipped_) : Bytes(); }
  void take_part_after(Bytes skipped) {
    is_part = true;
    skipped_ = skipped.count();
  }

 private:
  const Items* items_;     // if it is staged
  std::uint64_t skipped_;  // if it is a part
};

inline ReceiveOperation& ReceiveOperation::around(void* endpoint_room) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"  // which the compilers have for classes with bases too
  constexpr std::size_t offset = offsetof(ReceiveOperation, endpoint_room);
#pragma GCC diagnostic pop
  return *std::launder(reinterpret_cast<ReceiveOperation*>(static_cast<std::byte*>(endpoint_room) - offset));
}

// A message that a matched probe has taken out of matching.
struct TakenMessage {
  void* endpoint_state = nullptr;
  Envelope envelope;
  Bytes bytes;
};

}  // namespace hindcast::mpi
