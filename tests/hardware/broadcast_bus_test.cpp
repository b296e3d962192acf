// The broadcast bus: its times, and who gets it.

#include "simulator/hardware/collective/broadcast_bus.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "tests/support/ranks.hpp"

namespace hindcast {
namespace {

constexpr Bytes kilobyte(1000);
const Time on_wire = Time::us(20);  // a kilobyte at 50 MB/s
const Time along = Time::ns(300);

struct Asked {
  int from;
  Time at;
  Time ready_after;  // the grant
  Time held_after;   // the delivery
  Bytes slow_bytes = Bytes();
  Bandwidth slow_rate = Bandwidth();
};
struct Served {
  int from;
  Time granted, injected, delivered;
  friend bool operator==(const Served&, const Served&) = default;
};

// Broadcasts of a kilobyte each, asked for in the order given, as hardware and libraries ask: at acts.
class Bus final : public BusSink, public EventSink {
 public:
  explicit Bus(const std::vector<Asked>& asked)
      : bus_(engine_, Channel{Time(), along, Bandwidth::per_second(50e6)}, "bus"),
        owner_(engine_.new_owner()),
        asked_(asked) {
    transfers_.resize(asked.size());
    for (std::size_t i = 0; i < asked.size(); ++i) {
      transfers_[i].from = asked[i].from;
      transfers_[i].bytes = kilobyte;
      transfers_[i].slow_bytes = asked[i].slow_bytes;
      transfers_[i].slow_rate = asked[i].slow_rate;
      transfers_[i].sink = this;
      engine_.at(asked[i].at, EventKind::act, owner_, *this, i << 2 | requests);
    }
    test::run_ranks(engine_, {[](Thread& thread) {
                      thread.charge(Time::us(1'000'000));
                      thread.settle();
                    }});
  }
  std::vector<Served> served;

 private:
  enum What : std::uint64_t { requests, starts, releases };

  void fire(const Event& event) override {
    switch (static_cast<What>(event.data & 3)) {
      case requests:
        return bus_.request(transfers_[event.data >> 2]);
      case starts:
        return bus_.start(transfers_[event.data >> 2]);
      case releases:
        return bus_.release();
    }
  }
  void granted(BusTransfer& transfer) override {
    const Time after = asked_[index(transfer)].ready_after;
    if (after == Time()) return bus_.start(transfer);
    engine_.at(engine_.now() + after, EventKind::hardware, owner_, *this, index(transfer) << 2 | starts);
  }
  void delivered(BusTransfer& transfer) override {
    served.push_back({transfer.from, transfer.granted, transfer.injected, engine_.now()});
    const Time after = asked_[index(transfer)].held_after;
    if (after == Time()) return bus_.release();
    engine_.at(engine_.now() + after, EventKind::act, owner_, *this, releases);
  }
  std::size_t index(const BusTransfer& transfer) const {
    return static_cast<std::size_t>(&transfer - transfers_.data());
  }

  Engine engine_{EngineOptions{}};
  BroadcastBus bus_;
  EventOwner owner_;
  std::vector<Asked> asked_;
  std::vector<BusTransfer> transfers_;
};

Served at_once(int from, Time granted) { return {from, granted, granted + on_wire, granted + on_wire + along}; }

TEST(BroadcastBus, DeliversALatencyAfterTheLastByteHasLeft) {
  const Bus bus({{3, Time::us(7), Time(), Time()}});
  EXPECT_EQ(bus.served, std::vector{at_once(3, Time::us(7))});
}

TEST(BroadcastBus, ServesOneAtATimeInTheOrderOfTheRequests) {
  const Bus bus({{3, Time::us(9), Time(), Time()}, {1, Time::us(8), Time(), Time()}, {2, Time::us(7), Time(), Time()}});
  const Time one = on_wire + along;
  EXPECT_EQ(bus.served,
            (std::vector{at_once(2, Time::us(7)), at_once(1, Time::us(7) + one), at_once(3, Time::us(7) + one + one)}));
}

TEST(BroadcastBus, ServesTheLowestNodeFirstOfThoseThatAskAtOneInstant) {
  const Bus bus({{3, Time::us(7), Time(), Time()}, {1, Time::us(7), Time(), Time()}, {2, Time::us(7), Time(), Time()}});
  const Time one = on_wire + along;
  EXPECT_EQ(bus.served,
            (std::vector{at_once(1, Time::us(7)), at_once(2, Time::us(7) + one), at_once(3, Time::us(7) + one + one)}));
}

TEST(BroadcastBus, IsHeldUntilItIsReleased) {
  const Bus bus({{1, Time::us(7), Time(), Time::us(500)}, {2, Time::us(8), Time(), Time()}});
  EXPECT_EQ(bus.served,
            (std::vector{at_once(1, Time::us(7)), at_once(2, Time::us(7) + on_wire + along + Time::us(500))}));
}

TEST(BroadcastBus, StartsWhenTheReceiversAreReady) {
  const Bus bus({{1, Time::us(7), Time::us(60), Time()}});
  ASSERT_EQ(bus.served.size(), 1U);
  EXPECT_EQ(bus.served[0].granted, Time::us(7));
  EXPECT_EQ(bus.served[0].delivered, Time::us(67) + on_wire + along);
}

TEST(BroadcastBus, WaitsForBytesThatTheSenderCannotReadAsQuickly) {
  const Bus bus({{1, Time::us(7), Time(), Time(), Bytes(400), Bandwidth::per_second(25e6)}});
  EXPECT_EQ(bus.served.at(0).delivered, Time::us(7 + 12 + 16) + along);
}

TEST(BroadcastBus, IsNoQuickerForASenderThatIsQuickerThanIt) {
  const Bus bus({{1, Time::us(7), Time(), Time(), Bytes(400), Bandwidth::per_second(80e6)}});
  EXPECT_EQ(bus.served.at(0).delivered, Time::us(7) + on_wire + along);
}

TEST(BroadcastBus, WhoAsksAtTheInstantOfTheReleaseIsServedByItsNode) {
  const Time free = Time::us(7) + on_wire + along + Time::us(5);
  const Bus bus({{5, Time::us(7), Time(), Time::us(5)}, {4, free, Time(), Time()}, {2, free, Time(), Time()}});
  ASSERT_EQ(bus.served.size(), 3U);
  EXPECT_EQ(bus.served[1], at_once(2, free));
}

}  // namespace
}  // namespace hindcast
