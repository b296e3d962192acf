// A bus that joins all nodes and serves one broadcast at a time: whoever asked first in simulated time, of those who
// asked at one instant the one on the lowest node.
//
// A broadcast is granted the bus, starts when its sink says that the receivers are ready for it, and is delivered to
// all nodes at once when its last byte has passed. The bus is its own until the sink releases it: how long receivers
// hold it is their library's affair. docs/networks.md has the times.
//
// A computer beside the nodes may be on the bus by a line of its own. What it sends or receives takes that line as
// well, and goes at the pace of the slower of the two.
#pragma once

#include "simulator/engine/composed_step_kind.hpp"
#include "simulator/engine/engine.hpp"
#include "simulator/engine/fifo.hpp"
#include "simulator/hardware/network/channel.hpp"

namespace hindcast {

struct BusTransfer;

// The line of a computer beside the nodes, and the steps of what passes it.
struct LineToBus {
  Channel channel;
  ComposedStepKind bytes;
  ComposedStepKind way;
};

// Told, in handlers, how a broadcast gets on.
class BusSink {
 public:
  virtual void granted(BusTransfer& transfer) = 0;
  virtual void delivered(BusTransfer& transfer) = 0;

 protected:
  ~BusSink() = default;
};

// Owned by whoever requests it, and kept until the bus has been released.
struct BusTransfer {
  int from = 0;      // a node
  Bytes bytes;       // headers included
  Bytes slow_bytes;  // of them, so many come no quicker from the sender than `slow_rate`
  Bandwidth slow_rate;
  const LineToBus* line = nullptr;  // taken as well
  BusSink* sink = nullptr;
  MessageId message = 0;  // for a recorder
  Time requested;
  Time granted;
  Time injected;  // when the sender's memory has been read, known from its start on
};

class BroadcastBus final : private EventSink {
 public:
  // `table` is what the machine's file has of it.
  BroadcastBus(Engine& engine, const Channel& wire, const std::string& table)
      : engine_(engine),
        owner_(engine.new_owner()),
        latency_(wire.latency),
        bandwidth_(wire.bandwidth),
        bytes_{"bytes on the broadcast bus", table + ".bandwidth"},
        way_{"way along the broadcast bus", table + ".latency"} {}

  Time latency() const { return latency_; }

  // In handlers, at the engine's now:
  void request(BusTransfer& transfer);
  void start(BusTransfer& transfer);
  // Not before the transfer has been delivered.
  void release();

 private:
  void fire(const Event& event) override;
  void arbitrate();
  void grant();
  void record(const BusTransfer& transfer, const StepKind& kind, Time begin, Time end, std::uint64_t amount = 0) const;

  Engine& engine_;
  EventOwner owner_;
  Time latency_;
  Bandwidth bandwidth_;
  const ComposedStepKind bytes_;
  const ComposedStepKind way_;
  bool is_arbitrating_ = false;
  BusTransfer* granted_ = nullptr;
  Fifo<BusTransfer*> waiting_;
};

}  // namespace hindcast
