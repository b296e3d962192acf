// A network for tests.
#pragma once

#include <vector>

#include "simulator/engine/engine.hpp"
#include "simulator/hardware/network/network.hpp"
#include "simulator/hardware/network/room.hpp"

namespace hindcast::test {

// A latency, a time per byte, one transfer at a time into each node: enough that the order of arrivals matters.
class TestNetwork final : public Network, public EventSink, private Entrance {
 public:
  TestNetwork(Engine& engine, int nodes, Time latency = Time::ns(500))
      : engine_(engine), latency_(latency), owner_(engine.new_owner()), free_(static_cast<std::size_t>(nodes)) {}
  void submit(Transfer& transfer) override {
    if (transfer.room == nullptr || transfer.room->take(transfer, *this)) admit(transfer);
  }
  void admit(Transfer& transfer) override {
    const Time start = engine_.now();
    transfer.since = start;
    transfer.injected = start + Time::ns(static_cast<std::int64_t>(transfer.bytes.count()));
    Time& port = free_[static_cast<std::size_t>(transfer.to)];
    const Time arrival = later_of(transfer.injected + latency_, port + Time::ns(50));
    port = arrival;
    transfer.sink->entered(transfer);
    engine_.at(arrival, EventKind::hardware, owner_, *this, reinterpret_cast<std::uint64_t>(&transfer));
  }
  Time latency(int, int) override { return latency_; }
  void fire(const Event& event) override {
    auto& transfer = *reinterpret_cast<Transfer*>(event.data);
    transfer.sink->arrived(transfer);
  }

 private:
  Engine& engine_;
  const Time latency_;
  EventOwner owner_;
  std::vector<Time> free_;
};

}  // namespace hindcast::test
