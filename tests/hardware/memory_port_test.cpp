// Times at a memory port that can be reckoned by hand: 1 GB/s is 1 ns a byte.

#include "simulator/hardware/node/memory_port.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "simulator/hardware/node/node_memories.hpp"
#include "tests/support/ranks.hpp"

namespace hindcast {
namespace {

using Sharing = MemoryPort::Sharing;

const StepKind copying{"copy", ""};

struct Mover {
  Time begin;
  std::uint64_t bytes;
  Bandwidth own;
};

// When each of the threads has moved its bytes.
std::vector<Time> ends_of(Sharing sharing, const std::vector<Mover>& movers, bool lockstep, Bytes waits_from = Bytes(),
                          std::uint64_t passes = 1) {
  EngineOptions options;
  options.lockstep = lockstep;
  Engine engine(options);
  MemoryPort port(Rate::per_second(1e9), sharing, waits_from, passes);
  std::vector<Time> ends(movers.size());
  std::vector<std::function<void(Thread&)>> bodies;
  for (std::size_t i = 0; i < movers.size(); ++i)
    bodies.push_back([&, i](Thread& thread) {
      thread.charge(movers[i].begin);
      port.move(thread, copying, movers[i].own, Bytes(movers[i].bytes), 0);
      ends[i] = thread.clock();
    });
  test::run_ranks(engine, bodies);
  return ends;
}

const Bandwidth quick = Rate::per_second(4e9);
const Bandwidth half = Rate::per_second(5e8);

class MemoryPorts : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Ahead, MemoryPorts, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Lockstep, MemoryPorts, testing::Values(true));

TEST_P(MemoryPorts, LetsOneMoveAtItsOwnRateOrThePorts) {
  EXPECT_EQ(ends_of(Sharing::in_turn, {{Time(), 1000, quick}}, GetParam()), std::vector{Time::ns(1000)});
}

TEST_P(MemoryPorts, LetsASlowOneMoveAtItsOwnRate) {
  EXPECT_EQ(ends_of(Sharing::fair, {{Time(), 1000, half}}, GetParam()), std::vector{Time::ns(2000)});
}

TEST_P(MemoryPorts, ServesInTurn) {
  const std::vector<Time> expected{Time::ns(1000), Time::ns(1500), Time::ns(1600)};
  EXPECT_EQ(ends_of(Sharing::in_turn, {{Time(), 1000, quick}, {Time::ns(10), 500, quick}, {Time::ns(20), 100, quick}},
                    GetParam()),
            expected);
}

// The second waits for what the port takes, and not for what the first one takes.
TEST_P(MemoryPorts, IsFreeAgainForOthersWhileASlowOneGoesOn) {
  const std::vector<Time> expected{Time::ns(2000), Time::ns(1500)};
  EXPECT_EQ(ends_of(Sharing::in_turn, {{Time(), 1000, half}, {Time::ns(10), 500, quick}}, GetParam()), expected);
}

// Alone for 100 ns, then half each: the second is done 500 ns later, when the first has 650 left.
TEST_P(MemoryPorts, SharesFairly) {
  const std::vector<Time> expected{Time::ns(1250), Time::ns(600)};
  EXPECT_EQ(ends_of(Sharing::fair, {{Time(), 1000, quick}, {Time::ns(100), 250, quick}}, GetParam()), expected);
}

// The short one takes 99 ns, as if it were alone, and leaves the long one as long as it would take alone.
TEST_P(MemoryPorts, FitShortMovesInBetween) {
  const std::vector<Time> expected{Time::ns(1000), Time::ns(199), Time::ns(1200)};
  EXPECT_EQ(ends_of(Sharing::fair, {{Time(), 1000, quick}, {Time::ns(100), 99, quick}, {Time::ns(1100), 100, quick}},
                    GetParam(), Bytes(100)),
            expected);
}

// What is read and written passes twice, so that a slow one does as much as it could alone. What is short takes as long
// as alone, too.
const std::vector<Mover> copies{{Time(), 1000, quick}, {Time::ns(1000), 250, half}, {Time::ns(3000), 99, quick}};

TEST_P(MemoryPorts, CountWhatIsReadAndWrittenTwice) {
  const std::vector<Time> expected{Time::ns(2500), Time::ns(2000), Time::ns(3198)};
  EXPECT_EQ(ends_of(Sharing::fair, copies, GetParam(), Bytes(100), 2), expected);
}

TEST_P(MemoryPorts, CountWhatIsReadAndWrittenTwiceInTurn) {
  const std::vector<Time> expected{Time::ns(2000), Time::ns(2500), Time::ns(3198)};
  EXPECT_EQ(ends_of(Sharing::in_turn, copies, GetParam(), Bytes(100), 2), expected);
}

// Of three, the slow one takes a quarter; the others three eighths each.
TEST_P(MemoryPorts, LeavesToOthersWhatASlowOneCannotUse) {
  const Bandwidth quarter = Rate::per_second(2.5e8);
  const std::vector<Time> expected{Time::ns(4000), Time::ns(800), Time::ns(800)};
  EXPECT_EQ(ends_of(Sharing::fair, {{Time(), 1000, quarter}, {Time(), 300, quick}, {Time(), 300, quick}}, GetParam()),
            expected);
}

TEST_P(MemoryPorts, GivesEightAnEighthEach) {
  EXPECT_EQ(ends_of(Sharing::fair, std::vector<Mover>(8, {Time(), 1001, quick}), GetParam()),
            std::vector<Time>(8, Time::ns(8008)));
}

// Each end is rounded up to a picosecond, and what is left of that is nobody's.
TEST_P(MemoryPorts, IsNeverIdleWhileSomebodyMoves) {
  std::vector<Mover> movers;
  Time work;
  for (int i = 0; i < 7; ++i) {
    movers.push_back({Time::ps(137 * i), static_cast<std::uint64_t>(3 + 7 * i), quick});
    work += Time::ns(3 + 7 * i);
  }
  const std::vector<Time> ends = ends_of(Sharing::fair, movers, GetParam());
  const Time last = *std::max_element(ends.begin(), ends.end());
  EXPECT_GE(last, work);
  EXPECT_LE(last, work + Time::ps(7));
}

// --- units that move bytes by themselves ---

class Seen final : public TransferSink {
 public:
  explicit Seen(Engine& engine) : engine_(engine) {}
  void entered(Transfer& transfer) override { entered_at.push_back(transfer.injected); }
  void arrived(Transfer&) override { arrived_at.push_back(engine_.now()); }
  std::vector<Time> entered_at, arrived_at;

 private:
  Engine& engine_;
};

class Submission final : public EventSink {
 public:
  explicit Submission(Network& network) : network_(network) {}
  void fire(const Event& event) override { network_.submit(*reinterpret_cast<Transfer*>(event.data)); }

 private:
  Network& network_;
};

TEST_P(MemoryPorts, CarriesTransfersBesideCopies) {
  EngineOptions options;
  options.lockstep = GetParam();
  Engine engine(options);
  NodeMemories memories(engine);
  memories.add(1, {Rate::per_second(1e9), Sharing::fair, quick, {{"seen", ""}, Time::ns(30)}, {"moved", ""}});
  Seen seen(engine);
  Submission submission(memories);
  Transfer transfer;
  transfer.from = transfer.to = 1;
  transfer.bytes = Bytes(1000);
  transfer.sink = &seen;
  Time copied;
  test::run_ranks(engine, {[&](Thread& thread) { thread.act(submission, reinterpret_cast<std::uint64_t>(&transfer)); },
                           [&](Thread& thread) {
                             thread.charge(Time::ns(500));
                             memories.port(1).move(thread, copying, quick, Bytes(100), 0);
                             copied = thread.clock();
                             thread.charge(Time::us(9));  // the run goes on until all has arrived
                             thread.settle();
                           }});
  EXPECT_EQ(copied, Time::ns(700));
  EXPECT_EQ(seen.entered_at, std::vector{Time::ns(1100)});
  EXPECT_EQ(seen.arrived_at, std::vector{Time::ns(1130)});
}

}  // namespace
}  // namespace hindcast
