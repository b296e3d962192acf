// How MPI moves a message on a machine. One Device per rank; core/ calls it on the rank's threads, and it calls the
// native library or the hardware. Who matches is the device's affair: here what is sent and received is described, and
// completed.
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

// An operation in progress. Once its completion holds, the thread that finishes it calls Device::finish, once. Its
// message is known once a send has begun, or a receive completed.
//
// With many ranks each cache line of an operation that is touched is one that comes from afar. So these are laid out by
// when they are looked at: first, in 32 bytes, all that the end of a send is about, flags included, then what the
// device reads of a send; or what an arrival writes of a receive and its end reads.
struct Operation : Completion {
  bool cancelled = false;
  bool is_nonblocking = false;  // the program goes on, and leaves the data alone until the operation is over
  bool is_staged = false;       // the program's elements do not lie together, so that they are on their way elsewhere
};

struct SendOperation : Operation {
  SendMode mode = SendMode::standard;
  bool cancel_in_progress = false;  // it is kept until the receiver has answered
  bool is_captured = false;         // the device does not need its buffer, nor the operation, any more
  void* device_state = nullptr;     // the device's own, while in progress

  const void* data = nullptr;
  const Items* items = nullptr;  // the data lies there, and not at `data`: the device moves them
  Bytes bytes;
  Envelope envelope;
  int destination = 0;          // a rank of the engine's
  Landing* opposite = nullptr;  // of what comes from the destination in exchange, as long as this is in progress
};

struct ReceiveOperation : Operation {
  ReceiveOperation() {}  // what is not set here is left as it is: lines that may never be looked at

  bool is_part = false;          // of a broadcast: as much as there is room for, the rest is for others
  bool is_blocking = false;      // the thread waits for it right after, and for nothing else
  bool is_in_items = false;      // the data has gone there, and not to `data`
  bool is_left_to_copy = false;  // by the processor, once it has completed
  void* device_state = nullptr;  // the device's own, while in progress

  void* data = nullptr;
  Landing* landing = nullptr;  // used, and then null, or left to the receiver
  Bytes capacity;
  Bytes bytes;        // as sent: more than the capacity means that it was cut off
  Envelope envelope;  // of what was received
  Pattern pattern;
  alignas(8) std::byte device_room[96];  // the device's own, while in progress

  // The operation that has its device's room here.
  static ReceiveOperation& around(void* device_room);

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

inline ReceiveOperation& ReceiveOperation::around(void* device_room) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"  // which the compilers have for classes with bases too
  constexpr std::size_t offset = offsetof(ReceiveOperation, device_room);
#pragma GCC diagnostic pop
  return *std::launder(reinterpret_cast<ReceiveOperation*>(static_cast<std::byte*>(device_room) - offset));
}

// A message that a matched probe has taken out of matching.
struct TakenMessage {
  void* device_state = nullptr;
  Envelope envelope;
  Bytes bytes;
};

class Contexts;
class GroupOperations;

class Device {
 public:
  virtual ~Device() = default;

  // Whether its calls never give way, so that they may be made off the thread's stack if the thread may go on there.
  virtual bool works_off_stack() const { return true; }
  // Null if the machine has none.
  virtual GroupOperations* group_operations() { return nullptr; }
  // Null if there is no limit to them, and nothing to be ready for.
  virtual Contexts* contexts() { return nullptr; }

  // Whether it sends data in items as they lie, or has to be given them in one piece.
  virtual bool moves_items(const SendOperation&) const { return false; }
  // Both charge the thread what the call costs, and return without waiting for the completion.
  virtual void send(SendOperation& send) = 0;
  virtual void receive(ReceiveOperation& receive) = 0;

  // Waits until the gate opens, making what progress the machine's library makes in a blocking call.
  virtual void wait(Gate& gate, const Wait& why) = 0;
  // The same until a time that is known already, such as that of a completion in the future.
  virtual void wait_until(Time time, const Wait& why) = 0;

  // One turn of the library's progress, as in a Test that has not yet looked. Charges what a poll costs.
  virtual void poll(const Wait& why) = 0;

  // After the completion holds at the thread's clock: what is left for the processor to do (copies, overheads).
  virtual void finish(SendOperation& send) = 0;
  virtual void finish(ReceiveOperation& receive) = 0;

  // Whether a message that `pattern` takes has arrived by the thread's clock, the first one if there are several. The
  // caller has settled. If not, `completion` (if given) completes when the next one has come: a blocking probe's wait.
  virtual bool probe(const Pattern& pattern, Envelope& envelope, Bytes& bytes, Completion* completion) = 0;
  virtual void forget_probe(Completion& completion) = 0;
  virtual bool take(const Pattern& pattern, TakenMessage& message) = 0;
  virtual void receive(ReceiveOperation& receive, const TakenMessage& message) = 0;

  // The operation will complete, as cancelled if it was in time. The caller has settled. A send that seemed complete
  // may be in progress again while its receiver is asked.
  virtual void cancel(SendOperation& send) = 0;
  virtual void cancel(ReceiveOperation& receive) = 0;

  // The caller hands the send buffer back to the program, or frees the request: what still has to travel is captured
  // now, and the device forgets the operation.
  virtual void release_buffer(SendOperation& send) = 0;

  // The rank will not call it any more: it need make no more progress for others.
  virtual void leave() {}

  // The largest tag that a program may use.
  virtual int tag_upper_bound() const { return INT_MAX; }
  // The longest message that it can send, and the machine's parameters which that follows from.
  virtual Bytes longest_message() const { return Bytes(UINT64_MAX); }
  virtual const char* why_no_longer_message() const { return ""; }

  // The number that the next send gets.
  virtual MessageId upcoming_message() const = 0;

  // Take the thread's time for what the library does by itself: a look at the clock; a copy (packing, buffered sends),
  // on behalf of a message or none; operations of a reduction.
  virtual void read_clock() = 0;
  virtual void copy(Bytes bytes, MessageId message) = 0;
  virtual void combine(std::uint64_t operations) = 0;
};

}  // namespace hindcast::mpi
