// Messages whose units pass the ports of their nodes' memories. The network takes and brings 1 ns a byte and 500 ns of
// latency, units read and write 1 ns a byte at most; a port of 1 GB/s is 1 ns a byte too.

#include "simulator/hardware/node/network_through_memory.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <vector>

#include "tests/support/parts.hpp"
#include "tests/support/ranks.hpp"
#include "tests/support/test_network.hpp"

namespace hindcast {
namespace {

using Sharing = MemoryPort::Sharing;

const StepKind through_memory{"copy", ""};
const Bandwidth own = Rate::per_second(1e9);
const Bandwidth processor_rate = Rate::per_second(4e9);

struct Sent {
  Time submitted;
  std::uint64_t bytes;
};
struct Copied {
  int node;
  Time begin;
  std::uint64_t bytes;
};
struct Port {
  double bytes_per_second;
  Sharing sharing = Sharing::fair;
  std::uint64_t waits_from = 0;
};
struct Arrivals {
  std::vector<Time> injected, arrived, copied;
};

class Sink final : public TransferSink {
 public:
  Sink(Engine& engine, Arrivals& seen, bool looks_at_entry)
      : engine_(engine), seen_(seen), looks_at_entry_(looks_at_entry) {}
  bool looks_at_entry(const Transfer&) const override { return looks_at_entry_; }
  void entered(Transfer& transfer) override { seen_.injected.push_back(transfer.injected); }
  void arrived(Transfer&) override { seen_.arrived.push_back(engine_.now()); }

 private:
  Engine& engine_;
  Arrivals& seen_;
  const bool looks_at_entry_;
};

struct Mode {
  bool lockstep;
  bool is_one_ranks;
};

// From node 0 to node 1, while processors copy. A port that takes nothing is none.
Arrivals run(Mode mode, std::vector<Port> ports, const std::vector<Sent>& sent, const std::vector<Copied>& copied = {},
             bool looks_at_entry = true) {
  EngineOptions options;
  options.lockstep = mode.lockstep;
  Engine engine(options);
  Arrivals seen;
  seen.copied.resize(copied.size());
  test::TestNetwork network(engine, 2);
  NetworkThroughMemory through(engine, network, own, {"memory", ""});
  std::deque<MemoryPort> memories;
  for (int node = 0; node < 2; ++node) {
    const Port& port = ports[static_cast<std::size_t>(node)];
    memories.emplace_back(Rate::per_second(port.bytes_per_second > 0 ? port.bytes_per_second : 1e9), port.sharing,
                          Bytes(port.waits_from));
    if (mode.is_one_ranks) memories.back().belong_to_one_rank();
    if (port.bytes_per_second > 0) through.add(node, memories.back());
  }
  Sink sink(engine, seen, looks_at_entry);
  test::Part part(engine);
  std::deque<Transfer> transfers;
  for (const Sent& one : sent) {
    Transfer& transfer = transfers.emplace_back();
    transfer.to = 1;
    transfer.bytes = Bytes(one.bytes);
    transfer.sink = &sink;
    part.at(one.submitted, [&] { through.submit(transfer); });
  }
  std::vector<std::function<void(Thread&)>> bodies;
  for (std::size_t i = 0; i < copied.size(); ++i)
    bodies.emplace_back([&, i](Thread& thread) {
      thread.charge(copied[i].begin);
      memories[static_cast<std::size_t>(copied[i].node)].move(thread, through_memory, processor_rate,
                                                              Bytes(copied[i].bytes), 0);
      seen.copied[i] = thread.clock();
    });
  bodies.emplace_back([](Thread& thread) {  // the run goes on until all has arrived
    thread.charge(Time::us(90));
    thread.settle();
  });
  test::run_ranks(engine, bodies);
  return seen;
}

class ThroughMemory : public testing::TestWithParam<Mode> {};
INSTANTIATE_TEST_SUITE_P(Ahead, ThroughMemory, testing::Values(Mode{false, false}));
INSTANTIATE_TEST_SUITE_P(Lockstep, ThroughMemory, testing::Values(Mode{true, false}));
INSTANTIATE_TEST_SUITE_P(AheadAndOneRanks, ThroughMemory, testing::Values(Mode{false, true}));
INSTANTIATE_TEST_SUITE_P(LockstepAndOneRanks, ThroughMemory, testing::Values(Mode{true, true}));

TEST_P(ThroughMemory, AddsNothingWherePortsAreWideEnough) {
  const Arrivals seen = run(GetParam(), {{2e9}, {1e9}}, {{Time::ns(7), 1000}});
  EXPECT_EQ(seen.injected, std::vector{Time::ns(1007)});
  EXPECT_EQ(seen.arrived, std::vector{Time::ns(1507)});
}

// Read until 2000, so that the last byte is there at 2500.
TEST_P(ThroughMemory, WaitsForASlowReader) {
  const Arrivals seen = run(GetParam(), {{5e8}, {}}, {{Time(), 1000}});
  EXPECT_EQ(seen.injected, std::vector{Time::ns(2000)});
  EXPECT_EQ(seen.arrived, std::vector{Time::ns(2500)});
}

// Written from 500 on.
TEST_P(ThroughMemory, WaitsForASlowWriter) {
  const Arrivals seen = run(GetParam(), {{}, {5e8}}, {{Time(), 1000}});
  EXPECT_EQ(seen.injected, std::vector{Time::ns(1000)});
  EXPECT_EQ(seen.arrived, std::vector{Time::ns(2500)});
}

TEST_P(ThroughMemory, SharesThePortOfTheSenderWithItsProcessors) {
  const Arrivals seen = run(GetParam(), {{1e9}, {}}, {{Time(), 1000}}, {{0, Time(), 1000}});
  EXPECT_EQ(seen.copied, std::vector{Time::ns(2000)});
  EXPECT_EQ(seen.injected, std::vector{Time::ns(2000)});
  EXPECT_EQ(seen.arrived, std::vector{Time::ns(2500)});
}

// A third each from 500 to 1100, when the copies are done; then the other 800 bytes alone.
TEST_P(ThroughMemory, SharesThePortOfTheReceiverWithItsProcessors) {
  const Arrivals seen =
      run(GetParam(), {{}, {1e9}}, {{Time(), 1000}}, {{1, Time::ns(500), 200}, {1, Time::ns(500), 200}});
  EXPECT_EQ(seen.copied, std::vector(2, Time::ns(1100)));
  EXPECT_EQ(seen.injected, std::vector{Time::ns(1000)});
  EXPECT_EQ(seen.arrived, std::vector{Time::ns(1900)});
}

TEST_P(ThroughMemory, TakesItsTurnAtThePort) {
  const Arrivals seen = run(GetParam(), {{}, {1e9, Sharing::in_turn}}, {{Time(), 1000}}, {{1, Time::ns(400), 1000}});
  EXPECT_EQ(seen.copied, std::vector{Time::ns(1400)});
  EXPECT_EQ(seen.arrived, std::vector{Time::ns(2400)});
}

// A copy that comes when the message is half read takes half the port from then on.
TEST_P(ThroughMemory, IsPutOffByWhoComesLater) {
  const Arrivals seen = run(GetParam(), {{1e9}, {}}, {{Time(), 1000}}, {{0, Time::ns(500), 1000}});
  EXPECT_EQ(seen.injected, std::vector{Time::ns(1500)});
  EXPECT_EQ(seen.copied, std::vector{Time::ns(2000)});
}

// The second is read when the first has been, and written when the first has been.
TEST_P(ThroughMemory, KeepsMessagesInOrder) {
  const Arrivals seen = run(GetParam(), {{5e8}, {2.5e8}}, {{Time(), 1000}, {Time::ns(1), 100}});
  EXPECT_EQ(seen.injected, (std::vector{Time::ns(2000), Time::ns(2200)}));
  EXPECT_EQ(seen.arrived, (std::vector{Time::ns(4500), Time::ns(4900)}));
}

// Read as it leaves and written as it comes, though processors have both ports; and they lose nothing by it.
TEST_P(ThroughMemory, FitsShortMessagesInBetween) {
  const Port port{1e9, Sharing::fair, 256};
  const Arrivals seen = run(GetParam(), {port, port}, {{Time(), 100}}, {{0, Time(), 1000}, {1, Time::ns(500), 1000}});
  EXPECT_EQ(seen.injected, std::vector{Time::ns(100)});
  EXPECT_EQ(seen.arrived, std::vector{Time::ns(600)});
  EXPECT_EQ(seen.copied, (std::vector{Time::ns(1000), Time::ns(1500)}));
}

// The unit is at the long one until 2000, and at the receiver until 2500.
TEST_P(ThroughMemory, KeepsShortMessagesBehindLongOnes) {
  const Port port{5e8, Sharing::fair, 256};
  const Arrivals seen = run(GetParam(), {port, port}, {{Time(), 1000}, {Time::ns(1), 100}});
  EXPECT_EQ(seen.injected, (std::vector{Time::ns(2000), Time::ns(2200)}));
  EXPECT_EQ(seen.arrived, (std::vector{Time::ns(2500), Time::ns(2700)}));
}

// It comes at 510, when the unit begins to write what arrives at 1510.
TEST_P(ThroughMemory, FitsAShortMessageInBeforeALongOneBehindIt) {
  const Port port{1e9, Sharing::fair, 100};
  const Arrivals seen = run(GetParam(), {{}, port}, {{Time(), 10}, {Time::ns(10), 1000}});
  EXPECT_EQ(seen.arrived, (std::vector{Time::ns(510), Time::ns(1510)}));
}

// As KeepsMessagesInOrder.
TEST_P(ThroughMemory, KeepsMessagesInOrderWhoseEntryNobodyLooksAt) {
  const Arrivals seen = run(GetParam(), {{5e8}, {2.5e8}}, {{Time(), 1000}, {Time::ns(1), 100}}, {}, false);
  EXPECT_EQ(seen.arrived, (std::vector{Time::ns(4500), Time::ns(4900)}));
}

// As IsPutOffByWhoComesLater.
TEST_P(ThroughMemory, IsPutOffByWhoComesLaterIfNobodyLooksAtItsEntry) {
  const Arrivals seen = run(GetParam(), {{1e9}, {}}, {{Time(), 1000}}, {{0, Time::ns(500), 1000}}, false);
  EXPECT_EQ(seen.arrived, std::vector{Time::ns(2000)});
  EXPECT_EQ(seen.copied, std::vector{Time::ns(2000)});
}

}  // namespace
}  // namespace hindcast
