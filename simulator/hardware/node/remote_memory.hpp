// Remote memory: a unit in each node has the memory of the others read and written, by hardware of theirs or by an
// agent that takes their processors (remote_memory_agents.hpp).
//
// By hardware a put carries its data there, where it is written when it has arrived; its acknowledgement takes the
// latency of the way back, and nothing waits for it unless a thread asks. A get is an empty request, and the data comes
// back. An atomic operation carries one or two words there, is performed when they have arrived, and brings back what
// the word was. Gets and atomic operations keep the memory at the other end busy for a time of its own, one after the
// other; the answer leaves then. Requests, data and answers are transfers of the network, each with a header.
// docs/networks.md has the equations.
//
// An agent performs what has come at the end of its work on it, and answers each operation by a transfer: to a put by
// an empty one.
//
// An operation is captured by a thread and begins by an act of that thread's, which carries request_of(operation).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/memory/buffer_pool.hpp"
#include "simulator/hardware/network/network.hpp"
#include "simulator/hardware/node/atomic.hpp"
#include "simulator/hardware/node/done_sink.hpp"
#include "simulator/hardware/node/outgoing_puts.hpp"
#include "simulator/hardware/node/strided.hpp"

namespace hindcast {

// Told, in handlers, of what the processor beside a unit may be waiting for.
class RemoteMemoryUser {
 public:
  // The node's memory has been written or swapped, or its own puts have got on.
  virtual void changed(MessageId message) = 0;

 protected:
  ~RemoteMemoryUser() = default;
};

class RemoteMemoryAgent;

// What belongs to one node, or to one of several processes on it.
class RemoteMemoryUnit {
 public:
  // Without an agent its hardware serves the others.
  RemoteMemoryUnit(int node, Bytes registers, RemoteMemoryAgent* agent = nullptr)
      : node_(node), puts_(registers), agent_(agent) {}
  RemoteMemoryUnit(const RemoteMemoryUnit&) = delete;
  RemoteMemoryUnit& operator=(const RemoteMemoryUnit&) = delete;

  int node() const { return node_; }
  OutgoingPuts& puts() { return puts_; }
  // Null: nobody waits for anything.
  void tell(RemoteMemoryUser* user) { user_ = user; }

 private:
  friend class RemoteMemory;
  void changed(MessageId message) {
    if (user_ != nullptr) user_->changed(message);
  }

  const int node_;
  OutgoingPuts puts_;
  RemoteMemoryAgent* const agent_;
  RemoteMemoryUser* user_ = nullptr;
  int acknowledged_by_ = -1;  // the node that wrote a put last
  Time way_back_;             // from there
  Time memory_is_free_;       // of its gets and atomic operations for others
};

class RemoteMemory final : public EventSink, private TransferSink {
 public:
  struct Numbers {
    Bytes header;                  // of a request, of data, of an answer: more than 0
    Bytes registers;               // what a processor may hand over before it leaves
    std::optional<RatedStep> put;  // how fast data leaves its node at most, if not as fast as the network takes it
    std::optional<RatedStep> get;  // the same for what a get brings
    FixedStep service;             // of the hardware's memory at the other end, for a get
    FixedStep performed;           // and for an atomic operation
    // What it takes to tell another unit that a get is wanted, or that a put is written, if there is a way of its own
    // for that. Else a get's request is a transfer, and an acknowledgement takes the latency of the way back.
    std::optional<FixedStep> signal = std::nullopt;
  };
  enum class Kind : std::uint8_t { put, get, atomic };
  struct Operation;
  static constexpr Bytes all_bytes{std::numeric_limits<std::uint64_t>::max()};

  RemoteMemory(Engine& engine, Network& network, const Numbers& numbers);

  const Numbers& numbers() const { return numbers_; }

  // By a thread beside `caller`. The items here and there may be cut differently; both have as many bytes, and some.
  // The data of a put is captured now. `done` is told when the caller's unit knows that it has been written, `written`
  // when it is; both may be null. What comes after the first `moved_max` bytes nobody looks at: it only takes its time.
  Operation& new_put(RemoteMemoryUnit& caller, RemoteMemoryUnit& other, const Strided& here, const Strided& there,
                     MessageId message, DoneSink* done = nullptr, DoneSink* written = nullptr,
                     Bytes moved_max = all_bytes);
  // `done` is told when the data is here. What nobody changes before is copied but once, if it lies in one piece there.
  Operation& new_get(RemoteMemoryUnit& caller, RemoteMemoryUnit& other, const Strided& here, const Strided& there,
                     MessageId message, DoneSink& done, bool stays_as_it_is = false);
  // What a get brings that stays as it is lies there from now on. The get is not over.
  static void go_on_from(Operation& get, const void* there);
  // A word of 4 or 8 bytes; `done` is told when `old_value` is.
  Operation& new_atomic(RemoteMemoryUnit& caller, RemoteMemoryUnit& other, void* word, int bytes,
                        const AtomicRequest& request, MessageId message, std::uint64_t& old_value, DoneSink& done);
  Operation& new_atomic(RemoteMemoryUnit& caller, RemoteMemoryUnit& other, AtomicTarget& target,
                        const AtomicRequest& request, MessageId message, std::uint64_t& old_value, DoneSink& done);
  static std::uint64_t request_of(Operation& operation) { return reinterpret_cast<std::uint64_t>(&operation); }

  // --- by agents ---

  static Kind kind_of(const Operation& operation);
  static MessageId message_of(const Operation& operation);
  // An operation that has come is to be performed at that time: in a handler, or by a thread as an act of its own.
  void perform_at(Operation& operation, Time at);
  void perform_by(Thread& thread, Operation& operation, Time at);

 private:
  enum class Stage : std::uint8_t;

  Operation& new_operation(Kind kind, RemoteMemoryUnit& caller, RemoteMemoryUnit& other, MessageId message);
  void take_data(Operation& operation, Bytes bytes);
  void keep_offsets(Operation& put);
  void free(Operation& operation);
  void fire(const Event& event) override;
  void fetch(const Event& event, FetchLevel level) const override;
  void fetch(const Transfer& transfer, FetchLevel level) const override;
  void entered(Transfer& transfer) override;
  bool looks_at_entry(const Transfer& transfer) const override;
  void arrived(Transfer& transfer) override;
  void ask_by_signal(Operation& get);
  void written(Operation& put);
  Time way_back(Operation& put);
  void serve_by_hardware(Operation& operation);
  void perform(Operation& operation);
  void prepare_answer(Operation& operation);
  void answer(Operation& operation);
  void answered(Operation& operation);

  Engine& engine_;
  Network& network_;
  const Numbers numbers_;
  EventOwner owner_;
  BufferPool pool_;
};

// Who does what an operation asks of the other end, where that is not the memory's hardware.
class RemoteMemoryAgent {
 public:
  // In a handler: an operation has come. The agent says when it is performed, now or later.
  virtual void serve(RemoteMemory& memory, RemoteMemory::Operation& operation) = 0;

 protected:
  ~RemoteMemoryAgent() = default;
};

}  // namespace hindcast
