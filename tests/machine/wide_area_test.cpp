// Messages between sites, worked out by hand on platforms/grid.toml: 10 ms and 155 Mbit/s between east and midland, 2
// ms and 45 Mbit/s between midland and west, with windows of 64 KiB. A connection of the backbone reaches 64 KiB in
// each 20 ms, 3.2768 MB/s; one of the spur alone is slowed down by the link, at 5.625 MB/s.
#include "simulator/hardware/network/wide_area.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "simulator/engine/rank.hpp"
#include "tests/machine/changed_machine.hpp"
#include "tests/machine/machine_run.hpp"
#include "tests/support/in_child.hpp"
#include "tests/support/seeds.hpp"

namespace hindcast::test {
namespace {

constexpr int midland = 32;
constexpr int west = 40;

MachineFile grid(const std::vector<std::string>& settings = {}) { return changed("grid", settings); }

// A picosecond is the rounding up of a time that SimGrid keeps as a real number.
void expect_time(Time time, Time expected) {
  EXPECT_NEAR(static_cast<double>((time - expected).in_ps()), 0.5, 1.0) << time.in_us() << " us";
}

TEST(WideArea, AMessageTakesItsBytesAtTheWindowsRateAndTheLatency) {
  const auto sent = run_on(grid(), {{Time::us(5), 3, midland + 2, 32768}});
  expect_time(sent[0].injected, Time::us(5 + 10'000));
  expect_time(sent[0].arrived, Time::us(5 + 10'000 + 10'000));
}

TEST(WideArea, AMessageIsNoQuickerThanTheLink) {
  const auto sent = run_on(grid({"link.spur.bandwidth=5 MB/s"}), {{Time(), midland, west, 50'000}});
  expect_time(sent[0].arrived, Time::us(10'000 + 2'000));
}

// 12 ms one way over both links: 64 KiB in 24 ms.
TEST(WideArea, AWayOverSeveralLinksHasTheLatencyOfAllAndTheLeastOfTheRest) {
  const auto sent = run_on(grid(), {{Time(), west, 0, 65536}});
  expect_time(sent[0].injected, Time::us(24'000));
  expect_time(sent[0].arrived, Time::us(24'000 + 12'000));
  const auto narrow = run_on(grid({"link.spur.bandwidth=1 MB/s"}), {{Time(), 0, west, 65536}});
  expect_time(narrow[0].injected, Time::us(65'536));
}

TEST(WideArea, MessagesOfAPairGoOneAfterTheOther) {
  const auto sent = run_on(grid(), {{Time(), 3, midland, 32768}, {Time(), 3, midland, 16384}});
  expect_time(sent[0].arrived, Time::us(20'000));
  expect_time(sent[1].injected - sent[0].injected, Time::us(5'000));
  EXPECT_EQ(sent[1].arrived - sent[1].injected, Time::us(10'000));
}

TEST(WideArea, ConnectionsOfDifferentPairsAreUnderWayAtOneTime) {
  const auto sent =
      run_on(grid(), {{Time(), 3, midland, 32768}, {Time(), 3, midland + 1, 32768}, {Time(), midland, 3, 32768}});
  for (const Sent& one : sent) expect_time(one.arrived, Time::us(20'000));
}

// Ten connections that could reach 3.2768 MB/s each have a tenth of 16.384 MB/s.
TEST(WideArea, ConnectionsShareALinkThatIsTooNarrowForThem) {
  std::vector<Sent> sent;
  for (int i = 0; i < 10; ++i) sent.push_back({Time(), i, midland, 16384});
  sent.push_back({Time(), midland, 20, 16384});  // the other way
  sent = run_on(grid({"link.backbone.bandwidth=16.384 MB/s"}), sent);
  for (int i = 0; i < 10; ++i) expect_time(sent[static_cast<std::size_t>(i)].injected, Time::us(10'000));
  expect_time(sent[10].injected, Time::us(5'000));
}

TEST(WideArea, SitesWithoutLatencyBetweenThemHaveNoWindow) {
  const auto sent =
      run_on(grid({"link.backbone.latency=0 us", "link.backbone.bandwidth=16 MB/s"}), {{Time(), 0, midland, 16'000}});
  expect_time(sent[0].arrived, Time::us(1'000));
}

TEST(WideArea, AnEventJustBeforeAFlowsEndChangesNothing) {
  std::vector<Sent> sent;
  for (int i = 0; i < 30; ++i)
    sent.push_back({Time::us(500) * i, i, midland + i % 8, 20'000U + 777U * static_cast<unsigned>(i)});
  const auto alone = run_on(grid(), sent);
  std::vector<Time> wakes;
  for (const Sent& one : alone) wakes.push_back(one.injected - Time::ps(1));
  std::sort(wakes.begin(), wakes.end());
  const auto beside = run_on(grid(), sent, wakes);
  for (std::size_t i = 0; i < sent.size(); ++i) EXPECT_EQ(beside[i].injected, alone[i].injected);
}

// What the backbone's messages and those within a site take does not depend on whether there are the others: on the
// way from one instant to the next SimGrid's clock may stay behind, or come up.
TEST(WideArea, TrafficWithinASiteChangesNoTimeBetweenSites) {
  std::vector<Sent> between, within;
  for (int i = 0; i < 40; ++i)
    between.push_back({Time::us(100) * i, i % 32, midland + i % 8, 1'000U + 777U * static_cast<unsigned>(i)});
  for (int i = 0; i < 4000; ++i)
    within.push_back({Time::us(7) * i, i % 32, i * 7 % 32, 100U + static_cast<unsigned>(i % 900)});
  std::vector<Sent> all = between;
  all.insert(all.end(), within.begin(), within.end());
  const auto between_alone = run_on(grid(), between);
  const auto within_alone = run_on(grid(), within);
  const auto together = run_on(grid(), all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Sent& alone = i < between.size() ? between_alone[i] : within_alone[i - between.size()];
    ASSERT_EQ(together[i].injected, alone.injected) << i;
    ASSERT_EQ(together[i].arrived, alone.arrived) << i;
  }
}

// Random programs of computation and messages to anywhere on the grid, which wait now and then for all to arrive.
struct RandomSender final : TransferSink, EventSink {
  RandomSender(Engine& engine, Machine& machine, int node, std::uint32_t seed)
      : engine(engine), machine(machine), node(node), own(30), random(seed + static_cast<std::uint32_t>(node) * 1000) {}

  void run() {
    Thread& thread = *Thread::current();
    for (Transfer& transfer : own) {
      thread.charge(Time::ps(static_cast<std::int64_t>(random() % 4'000'000'000)));
      transfer.from = node;
      transfer.to = static_cast<int>(random() % west);
      transfer.bytes = Bytes(1 + random() % (random() % 4 == 0 ? 20'000 : 500));
      transfer.sink = this;
      ++under_way;
      thread.act(*this, reinterpret_cast<std::uint64_t>(&transfer));
      if (random() % 4 == 0)
        while (under_way > 0) thread.wait(why);
    }
    while (under_way > 0) thread.wait(why);
  }
  void fire(const Event& event) override {
    auto& transfer = *reinterpret_cast<Transfer*>(event.data);
    network_between(machine, transfer.from, transfer.to).submit(transfer);
  }
  void entered(Transfer&) override {}
  void arrived(Transfer& transfer) override {
    log += fmt::format("{} to {}, {} bytes: {} {}\n", node, transfer.to, transfer.bytes.count(),
                       transfer.injected.in_ps(), engine.now().in_ps());
    if (--under_way == 0) thread->wake();
  }

  struct Why final : Wait {
    BlockedOn describe() const override { return {"test", "", {}}; }
  };

  Engine& engine;
  Machine& machine;
  int node;
  Thread* thread = nullptr;
  std::vector<Transfer> own;
  std::mt19937 random;
  int under_way = 0;
  Why why;
  std::string log;
};

std::string run_random_programs(std::uint32_t seed, bool lockstep, const std::string& model) {
  EngineOptions options;
  options.lockstep = lockstep;
  Engine engine(options);
  const MachineFile file = grid({"network.mesh=" + model});
  const auto machine = Machine::build(engine, file, west);
  std::deque<RandomSender> programs;
  for (const int node : {0, 1, 5, 17, 32, 33, 39}) {
    RandomSender& program = programs.emplace_back(engine, *machine, node, seed);
    program.thread = &engine.start_thread(engine.add_rank(machine->node_name(node)), [&program] { program.run(); });
  }
  engine.run([](Ending) { std::abort(); });
  std::string all;
  for (const RandomSender& program : programs) all += program.log;
  return all;
}

TEST(WideArea, GivesTheSameTimesAheadOfTheClockAndInLockstep) {
  for (const std::string model : {"wormhole", "fluid"})
    for_each_seed(50, [&](std::uint32_t seed) {
      const std::string ahead = text_from_child([&] { return run_random_programs(seed, false, model); });
      const std::string lockstep = text_from_child([&] { return run_random_programs(seed, true, model); });
      ASSERT_EQ(std::count(ahead.begin(), ahead.end(), '\n'), 7 * 30);
      ASSERT_EQ(ahead, lockstep);
    });
}

}  // namespace
}  // namespace hindcast::test
