// The fluid network beside the wormhole torus, both built from the same machine file: what they agree on, and where
// they differ.
#include "simulator/hardware/network/fluid_network.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <random>
#include <utility>

#include "simulator/engine/rank.hpp"
#include "simulator/machine/file/machine_search.hpp"
#include "simulator/machine/machine.hpp"
#include "tests/hardware/traffic.hpp"
#include "tests/machine/machine_run.hpp"
#include "tests/support/in_child.hpp"
#include "tests/support/seeds.hpp"

namespace hindcast::test {
namespace {

// The ideal machine's: 300 MB/s for ports and links, 100 ns for each hop.

MachineFile ring_of_8(const std::string& model) {
  MachineFile file = load_machine("ideal");
  file.set("network=" + model);
  file.set("network.dimensions=8");
  file.set("network.injection_latency=30 ns");
  return file;
}

// A thread wakes at `wakes`, which changes nothing.
std::vector<Sent> run(const std::string& model, std::vector<Sent> sent, const Buffers& buffers = {},
                      const std::vector<Time>& wakes = {}) {
  return run_on(ring_of_8(model), std::move(sent), wakes, buffers);
}

double in_us(Time time) { return time.in_us(); }

TEST(FluidNetwork, OneMessageAtATimeTakesTheSameAsInTheWormholeTorus) {
  std::vector<Sent> sent;
  for (int hops = 0; hops <= 4; ++hops)
    for (std::uint64_t bytes = 1; bytes <= 8'000'000; bytes = bytes * 7 / 4 + 1)
      sent.push_back({Time::us(100'000) * static_cast<std::int64_t>(sent.size()), 2, 2 + hops, bytes});
  const auto wormhole = run("wormhole", sent);
  const auto fluid = run("fluid", sent);
  ASSERT_GT(sent.size(), 120U);
  for (std::size_t i = 0; i < sent.size(); ++i) {
    // A picosecond is the rounding up of a time that SimGrid keeps as a real number.
    EXPECT_NEAR(static_cast<double>((fluid[i].arrived - wormhole[i].arrived).in_ps()), 0.5, 1.0) << sent[i].bytes;
    EXPECT_NEAR(static_cast<double>((fluid[i].injected - wormhole[i].injected).in_ps()), 0.5, 1.0) << sent[i].bytes;
  }
}

TEST(FluidNetwork, MessagesOfOneSenderFollowEachOtherAsInTheWormholeTorus) {
  std::vector<Sent> sent;
  for (int i = 0; i < 20; ++i) sent.push_back({Time::ns(100 * i), 0, 1 + i * 5 % 7, 500U + 100U * (i * 7 % 13)});
  const auto wormhole = run("wormhole", sent);
  const auto fluid = run("fluid", sent);
  for (std::size_t i = 0; i < sent.size(); ++i) {
    EXPECT_NEAR(in_us(fluid[i].injected), in_us(wormhole[i].injected), 1e-4);
    EXPECT_NEAR(in_us(fluid[i].arrived), in_us(wormhole[i].arrived), 1e-4);
  }
}

// Both messages need the link from node 1 to node 2: 3,000 bytes take 10 us on it.
TEST(FluidNetwork, TwoLongMessagesShareALinkThatWouldTakeOneAfterTheOther) {
  const std::vector<Sent> sent = {{Time(), 0, 3, 3000}, {Time(), 1, 2, 3000}};
  const auto wormhole = run("wormhole", sent);
  EXPECT_NEAR(in_us(wormhole[0].arrived), 10 + 0.03 + 0.3, 1e-6);
  EXPECT_NEAR(in_us(wormhole[1].arrived), 10 + 0.03 + 0.2 + 10, 1e-6);
  const auto fluid = run("fluid", sent);
  EXPECT_NEAR(in_us(fluid[0].arrived), 20 + 0.03 + 0.3, 1e-4);
  EXPECT_NEAR(in_us(fluid[1].arrived), 20 + 0.03 + 0.1, 1e-4);
}

// Behind 300,000 bytes, which take 1 ms, come 300 from another sender.
TEST(FluidNetwork, AShortMessageDoesNotWaitBehindALongOneOfAnotherSender) {
  const std::vector<Sent> sent = {{Time(), 0, 3, 300'000}, {Time::us(10), 1, 2, 300}};
  const auto wormhole = run("wormhole", sent);
  EXPECT_NEAR(in_us(wormhole[1].arrived), 1000 + 0.03 + 0.2 + 1, 1e-6);
  const auto fluid = run("fluid", sent);
  EXPECT_NEAR(in_us(fluid[1].arrived), 10 + 2 + 0.13, 1e-3);  // 1 us of bytes at half the rate
  EXPECT_NEAR(in_us(fluid[0].arrived), 1000 + 1 + 0.33, 1e-3);
}

TEST(FluidNetwork, SharesAreEqualHoweverLongThePathsAre) {
  const auto fluid = run("fluid", {{Time(), 1, 2, 3000}, {Time(), 7, 2, 3000}, {Time(), 0, 2, 3000}});
  for (const Sent& one : fluid) EXPECT_NEAR(in_us(one.injected), 30, 1e-4);
}

TEST(FluidNetwork, ManySendersShareOneReceiversPort) {
  std::vector<Sent> sent;
  for (int i = 1; i < 8; ++i) sent.push_back({Time(), i, 0, 3000});
  for (const Sent& one : run("fluid", sent)) EXPECT_NEAR(in_us(one.injected), 70, 1e-3);
}

TEST(FluidNetwork, MessagesOfOnePairStayInOrder) {
  std::vector<Sent> sent;
  for (int i = 0; i < 50; ++i) sent.push_back({Time::ns(i), 0, 3, 100U + 2000U * static_cast<unsigned>((50 - i) % 3)});
  for (int i = 0; i < 50; ++i) sent.push_back({Time::ns(i), 1, 4, 700});  // in the way
  sent = run("fluid", sent);
  for (std::size_t i = 1; i < 50; ++i) EXPECT_LT(sent[i - 1].arrived, sent[i].arrived);
}

TEST(FluidNetwork, AMessageWaitsForRoomAtItsReceiver) {
  // 300 bytes take 1 us. The first stays in the buffer until 1.13 + 5.
  const auto sent =
      run("fluid", {{Time(), 0, 1, 300}, {Time(), 0, 1, 300}, {Time(), 2, 1, 300}}, {{1, {300, Time::us(5)}}});
  EXPECT_NEAR(in_us(sent[0].arrived), 1.13, 1e-5);
  EXPECT_NEAR(in_us(sent[2].injected), 1.13 + 5 + 1, 1e-5);                    // refused at 0
  EXPECT_NEAR(in_us(sent[1].injected), in_us(sent[2].arrived) + 5 + 1, 1e-5);  // refused at 1 us
}

TEST(FluidNetwork, AnHourLaterTimesAreAsExactAsAtTheBeginning) {
  const Time late = Time::us(3'500'000'000);
  const auto sent = run("fluid", {{Time(), 0, 3, 3000}, {Time(), 1, 2, 1000}, {late, 0, 3, 3000}, {late, 1, 2, 1000}});
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_NEAR(static_cast<double>((sent[i + 2].arrived - late - sent[i].arrived).in_ps()), 0, 2);
}

// The second starts when half of the first is left, and is as long as that.
TEST(FluidNetwork, FlowsThatEndAtOneTimeAreToldOfAtOnce) {
  std::vector<Sent> sent;
  for (int i = 1; i <= 300; ++i) {
    const Time base = Time::us(10'000) * i;
    sent.push_back({base, 1, 3, 600U * static_cast<unsigned>(i)});
    sent.push_back({base + Time::us(i), 0, 2, 300U * static_cast<unsigned>(i)});
  }
  sent = run("fluid", sent);
  for (std::size_t i = 0; i < sent.size(); ++i) {
    const Time base = sent[i - i % 2].at;
    const auto pair = static_cast<std::int64_t>(i / 2 + 1);
    EXPECT_NEAR(static_cast<double>((sent[i].injected - base - Time::us(3 * pair)).in_ps()), 0, 2);
  }
}

TEST(FluidNetwork, AnEventJustBeforeAFlowsEndChangesNothing) {
  std::vector<Sent> sent;
  for (int i = 1; i <= 100; ++i) {
    sent.push_back({Time::us(1000) * i, 1, 3, 1000U + 7U * static_cast<unsigned>(i)});
    sent.push_back({Time::us(1000) * i, 0, 2, 3000U + 11U * static_cast<unsigned>(i)});
  }
  const auto alone = run("fluid", sent);
  std::vector<Time> wakes;
  for (const Sent& one : alone) wakes.push_back(one.injected - Time::ps(1));
  const auto beside = run("fluid", sent, {}, wakes);
  for (std::size_t i = 0; i < sent.size(); ++i) EXPECT_EQ(beside[i].injected, alone[i].injected);
}

// A finite buffer at each node, in which a message stays for a time that grows with its length.
class Receivers final : public EventSink {
 public:
  Receivers(Engine& engine, int nodes) : engine_(engine), owner_(engine.new_owner()) {
    for (int node = 0; node < nodes; ++node) rooms_.emplace_back(engine, Bytes(20'000));
  }
  Room& room(int node) { return rooms_[static_cast<std::size_t>(node)]; }
  void arrived(Transfer& transfer) {
    const Time stay = Time::ns(static_cast<std::int64_t>(2 * transfer.bytes.count()));
    engine_.at(engine_.now() + stay, EventKind::act, owner_, *this, reinterpret_cast<std::uint64_t>(&transfer));
  }
  void fire(const Event& event) override {
    const auto& transfer = *reinterpret_cast<const Transfer*>(event.data);
    rooms_[static_cast<std::size_t>(transfer.to)].release(transfer.bytes);
  }

 private:
  Engine& engine_;
  EventOwner owner_;
  std::deque<BufferRoom> rooms_;
};

// Random programs of computation and messages, several of which want the same links and buffers at any time.
struct RandomProgram final : TransferSink, EventSink {
  RandomProgram(Engine& engine, Network& network, int node, std::uint32_t seed, Receivers* receivers = nullptr)
      : engine(engine),
        network(network),
        node(node),
        receivers(receivers),
        own(30),
        random(seed + static_cast<std::uint32_t>(node) * 1000) {}

  void run() {
    Thread& thread = *Thread::current();
    for (Transfer& transfer : own) {
      thread.charge(Time::ps(static_cast<std::int64_t>(random() % 4'000'000)));
      transfer.from = node;
      transfer.to = static_cast<int>(random() % 8);
      transfer.bytes = Bytes(1 + random() % (random() % 4 == 0 ? 20'000 : 500));
      transfer.sink = this;
      if (receivers != nullptr) transfer.room = &receivers->room(transfer.to);
      ++under_way;
      thread.act(*this, reinterpret_cast<std::uint64_t>(&transfer));
      if (random() % 4 == 0)
        while (under_way > 0) thread.wait(why);
    }
    while (under_way > 0) thread.wait(why);
  }
  void fire(const Event& event) override { network.submit(*reinterpret_cast<Transfer*>(event.data)); }
  void entered(Transfer&) override {}
  void arrived(Transfer& transfer) override {
    log += fmt::format("{} to {}, {} bytes: {} {}\n", node, transfer.to, transfer.bytes.count(),
                       transfer.injected.in_ps(), engine.now().in_ps());
    if (receivers != nullptr) receivers->arrived(transfer);
    if (--under_way == 0) engine.ranks()[static_cast<std::size_t>(node)]->main_thread().wake();
  }

  struct Why final : Wait {
    BlockedOn describe() const override { return {"test", "", {}}; }
  };

  Engine& engine;
  Network& network;
  int node;
  Receivers* receivers;
  std::vector<Transfer> own;
  std::mt19937 random;
  int under_way = 0;
  Why why;
  std::string log;
};

struct Case {
  std::string model;
  bool with_rooms;
};

std::string run_random_programs(const Case& what, std::uint32_t seed, bool lockstep) {
  EngineOptions options;
  options.lockstep = lockstep;
  Engine engine(options);
  const MachineFile file = ring_of_8(what.model);
  const auto machine = Machine::build(engine, file, 8);
  Receivers receivers(engine, 8);
  std::deque<RandomProgram> programs;
  for (int node = 0; node < 8; ++node) {
    RandomProgram& program =
        programs.emplace_back(engine, machine->network(), node, seed, what.with_rooms ? &receivers : nullptr);
    engine.start_thread(engine.add_rank(machine->node_name(node)), [&program] { program.run(); });
  }
  engine.run([](Ending) { std::abort(); });
  std::string all;
  for (const RandomProgram& program : programs) all += program.log;
  return all;
}

void PrintTo(const Case& shown, std::ostream* out) { *out << shown.model << (shown.with_rooms ? ", rooms" : ""); }

class Networks : public testing::TestWithParam<Case> {};

TEST_P(Networks, GiveTheSameTimesAheadOfTheClockAndInLockstep) {
  test::for_each_seed(100, [&](std::uint32_t seed) {
    const std::string ahead = text_from_child([&] { return run_random_programs(GetParam(), seed, false); });
    const std::string lockstep = text_from_child([&] { return run_random_programs(GetParam(), seed, true); });
    ASSERT_EQ(std::count(ahead.begin(), ahead.end(), '\n'), 8 * 30);
    ASSERT_EQ(ahead, lockstep);
  });
}

INSTANTIATE_TEST_SUITE_P(Kinds, Networks,
                         testing::Values(Case{"wormhole", true}, Case{"fluid", false}, Case{"fluid", true}),
                         [](const auto& info) { return info.param.model + (info.param.with_rooms ? "_rooms" : ""); });

// 30,000 bytes take 100 us, during which nothing else is pending. The sender waits for so many arrivals.
[[noreturn]] void run_one_long_message(Time max_time, int waits_for) {
  EngineOptions options;
  options.max_time = max_time;
  Engine engine(options);
  const MachineFile file = ring_of_8("fluid");
  const auto machine = Machine::build(engine, file, 8);
  RandomProgram program(engine, machine->network(), 0, 1);
  Transfer transfer;
  transfer.to = 1;
  transfer.bytes = Bytes(30'000);
  transfer.sink = &program;
  const auto exit_telling = [&](const char* ending) {
    std::cerr << ending << " at " << engine.now().in_ps() / 1'000'000 << " us" << std::endl;
    _exit(9);
  };
  engine.start_thread(engine.add_rank(machine->node_name(0)), [&] {
    program.under_way = waits_for;
    Thread::current()->act(program, reinterpret_cast<std::uint64_t>(&transfer));
    while (program.under_way > 0) Thread::current()->wait(program.why);
    exit_telling("finished");
  });
  engine.run([&](Ending ending) { exit_telling(ending == Ending::deadlock ? "deadlock" : "out of time"); });
  _exit(8);
}

TEST(FluidNetworkDeathTest, AFlowUnderWayIsNoDeadlock) {
  EXPECT_EXIT(run_one_long_message(Time::never(), 1), testing::ExitedWithCode(9), "finished at 100 us");
}

TEST(FluidNetworkDeathTest, ADeadlockIsFoundWhenTheLastFlowHasEnded) {
  EXPECT_EXIT(run_one_long_message(Time::never(), 2), testing::ExitedWithCode(9), "deadlock at 100 us");
}

TEST(FluidNetworkDeathTest, TimeEndsDuringAFlow) {
  EXPECT_EXIT(run_one_long_message(Time::us(60), 1), testing::ExitedWithCode(9), "out of time at 60 us");
}

}  // namespace
}  // namespace hindcast::test
