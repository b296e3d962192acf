// Random programs of puts, gets, atomic operations, waits and barriers, run ahead of the clock and in lockstep: what
// each PE sees, and when, is the same, and so are the steps that a recorder is told of.

#include <fmt/format.h>
#include <unistd.h>

#include <numeric>
#include <random>

#include "mpi_impl/libraries/cray/tests/pes.hpp"
#include "simulator/engine/completion.hpp"
#include "tests/support/in_child.hpp"
#include "tests/support/seeds.hpp"
#include "tests/support/step_text.hpp"
#include "traces/stream.hpp"

namespace hindcast::shmem {
namespace {

constexpr std::size_t slot_bytes = 6000;
constexpr std::size_t counters = 3;

const StepKind computation{"computation", ""};

// A put from one PE into the slot of this number on another; from and to everybody: a barrier.
constexpr int everybody = -1;
struct Planned {
  int from, to;
  std::size_t bytes;
};

struct Plan {
  std::uint32_t seed;
  int pes;
  std::vector<Planned> steps;
};

Plan make_plan(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<int>(random() % n); };
  Plan plan{seed, 2 + below(5), {}};
  for (int i = 0, count = 20 + below(30); i < count; ++i) {
    const auto pe = [&] { return below(static_cast<std::uint32_t>(plan.pes)); };
    const auto bytes = static_cast<std::size_t>(below(4) == 0 ? 500 + below(5500) : 8 + below(90));
    plan.steps.push_back(below(8) == 0 ? Planned{everybody, everybody, 0} : Planned{pe(), pe(), bytes});
  }
  return plan;
}

// What all PEs of a run have.
struct Memories {
  explicit Memories(const Plan& plan)
      : slots(static_cast<std::size_t>(plan.pes), std::vector<std::byte>(plan.steps.size() * slot_bytes)),
        words(static_cast<std::size_t>(plan.pes), std::vector<std::uint64_t>(counters)) {}

  std::byte* slot(int pe, std::size_t number) {
    return slots[static_cast<std::size_t>(pe)].data() + number * slot_bytes;
  }
  std::vector<std::vector<std::byte>> slots;
  std::vector<std::vector<std::uint64_t>> words;
};

class SlotIsFull final : public Condition {
 public:
  explicit SlotIsFull(const std::byte* slot) : slot_(slot) {}
  bool holds() const override { return *slot_ != std::byte{0}; }
  BlockedOn describe() const override { return {"wait", "until a slot is full", {}}; }

 private:
  const volatile std::byte* slot_;
};

// The same, or for a while: until a counter that others change is odd.
class SlotIsFullOrCounterOdd final : public Condition {
 public:
  SlotIsFullOrCounterOdd(const std::byte* slot, const std::uint64_t& counter) : full_(slot), counter_(counter) {}
  bool holds() const override { return full_.holds() || counter_ % 2 == 1; }
  BlockedOn describe() const override { return full_.describe(); }

 private:
  const SlotIsFull full_;
  const volatile std::uint64_t& counter_;
};

// Line output of a PE, in the order in which the world sees it.
class Output final : public EventSink {
 public:
  void fire(const Event& event) override { text += fmt::format("{} says {}\n", event.at.in_ps(), event.data); }
  std::string text;
};

// One PE's way through the plan. It waits only for what lies behind it in the plan, so it never deadlocks.
class Program {
 public:
  Program(const Plan& plan, Pe& pe, Memories& memories, Output& output)
      : plan_(plan),
        pe_(pe),
        memories_(memories),
        output_(output),
        random_(plan.seed * 1000 + static_cast<std::uint32_t>(pe.number())) {}

  std::string run() {
    for (std::size_t k = 0; k < plan_.steps.size(); ++k) {
      const Planned& step = plan_.steps[k];
      if (step.from == everybody) meet();
      if (step.from == pe_.number()) put(k);
      if (step.to == pe_.number() && below(3) == 0) wait_for(k);
      something_else();
    }
    for (std::size_t k = 0; k < plan_.steps.size(); ++k)
      if (plan_.steps[k].to == pe_.number()) wait_for(k);
    log("end");
    return text_;
  }

 private:
  std::uint32_t below(std::uint32_t n) { return random_() % n; }
  int any_pe() { return static_cast<int>(below(static_cast<std::uint32_t>(plan_.pes))); }
  std::size_t any_slot() { return below(static_cast<std::uint32_t>(plan_.steps.size())); }
  Thread& thread() { return *Thread::current(); }

  void log(const std::string& what) {
    text_ += fmt::format("{} {} {}\n", pe_.number(), thread().clock().in_ps(), what);
  }

  void put(std::size_t k) {
    const Planned& step = plan_.steps[k];
    std::vector<std::byte> data(step.bytes, static_cast<std::byte>(k + 1));
    std::byte* there = memories_.slot(step.to, k);
    if (step.bytes < 100 && below(2) == 0)
      pe_.put("iput", step.to, Strided{there, step.bytes, 1, 2}, in_one_piece(data.data(), Bytes(step.bytes)));
    else
      pe_.put("put", step.to, there, data.data(), Bytes(step.bytes));
    std::fill(data.begin(), data.end(), std::byte{99});
    log("has put");
  }

  void wait_for(std::size_t k) {
    if (below(2) == 0) {
      const std::uint64_t& counter = memories_.words[static_cast<std::size_t>(pe_.number())][below(counters)];
      pe_.wait_for(SlotIsFullOrCounterOdd(memories_.slot(pe_.number(), k), counter));
      log("waited for a slot or a counter");
    }
    pe_.wait_for(SlotIsFull(memories_.slot(pe_.number(), k)));
    EXPECT_EQ(*memories_.slot(pe_.number(), k), static_cast<std::byte>(k + 1));
    log(fmt::format("waited for {}", k));
  }

  void meet() {
    if (plan_.seed % 2 == 0 || !pe_.can_poll_barrier()) {
      pe_.barrier("barrier");
      return log("passed a barrier");
    }
    Completion over;
    pe_.begin_barrier(over);
    something_else();
    thread().settle();
    log(over.is_known() ? fmt::format("the barrier was over at {}", over.at().in_ps()) : "the barrier is not over");
    Gate gate(thread());
    gate.add(over);
    gate.pass(test::NoWait());
    log("passed a begun barrier");
  }

  int sum_of(const std::byte* data, std::size_t bytes) {
    return std::accumulate(data, data + bytes, 0,
                           [](int sum, std::byte value) { return sum + static_cast<int>(value); });
  }

  void get() {
    const std::size_t bytes = below(4) == 0 ? slot_bytes : 1 + below(60);
    std::vector<std::byte> data(bytes);
    pe_.get("get", any_pe(), data.data(), memories_.slot(any_pe(), any_slot()), Bytes(bytes));
    log(fmt::format("got {}", sum_of(data.data(), bytes)));
  }

  void atomic() {
    constexpr AtomicOperation operations[] = {AtomicOperation::swap, AtomicOperation::compare_swap,
                                              AtomicOperation::masked_swap, AtomicOperation::fetch_add,
                                              AtomicOperation::fetch_increment};
    const AtomicRequest request{operations[below(5)], below(4), below(4)};
    const int pe = any_pe();
    const std::uint64_t old =
        pe_.atomic("atomic", pe, &memories_.words[static_cast<std::size_t>(pe)][below(counters)], 8, request);
    log(fmt::format("atomic {}", old));
  }

  void look() {
    thread().settle();
    log(fmt::format("sees {}", sum_of(memories_.slot(pe_.number(), any_slot()), 10)));
  }

  void something_else() {
    switch (below(9)) {
      case 0:
        return thread().spend(computation, Time::ns(static_cast<std::int64_t>(below(500)) * 10));
      case 1:
        return get();
      case 2:
      case 3:
        return atomic();
      case 4:
        pe_.quiet("quiet");
        return log("is quiet");
      case 5:
        pe_.fence("fence");
        return log("fence");
      case 6:
        return look();
      case 7:
        return thread().act(output_, below(1000) + static_cast<std::uint64_t>(pe_.number()) * 1000);
      default:
        return log("looks at the clock");
    }
  }

  const Plan& plan_;
  Pe& pe_;
  Memories& memories_;
  Output& output_;
  std::mt19937 random_;
  std::string text_;
};

struct ShmemCase {
  std::string name;
  std::string network = "wormhole";
  std::uint64_t registers = 4096;
  bool fence_waits = true;
  bool barrier_is_polled = true;
  bool shares_memory = false;
};
void PrintTo(const ShmemCase& shown, std::ostream* out) { *out << shown.name; }

// Numbers in tens of nanoseconds, so that much happens at one instant.
World world_of(const ShmemCase& tested) {
  World world;
  for (const char* setting : {"network.hop_latency=10 ns", "network.link_bandwidth=1000 MB/s",
                              "network.injection_bandwidth=1000 MB/s", "barrier.latency=10 ns"})
    world.settings.emplace_back(setting);
  world.settings.push_back("network=" + tested.network);
  world.remote_memory.header = Bytes(10);
  world.remote_memory.registers = Bytes(tested.registers);
  world.remote_memory.put = {{"put pace", ""}, Rate::per_second(500e6)};
  world.remote_memory.get->rate = Rate::per_second(250e6);
  world.remote_memory.service = {{"read", ""}, Time::ns(10)};
  world.remote_memory.performed = {{"performed", ""}, Time::ns(30)};
  world.costs.put = {{"put", ""}, Time::ns(50)};
  world.costs.get = {{"get", ""}, Time::ns(60)};
  world.costs.atomic = {{"atomic", ""}, Time::ns(50)};
  world.costs.element = {{"element", ""}, Time::ns(1)};
  world.costs.load = {{"load", ""}, Rate::per_second(2e9)};
  world.costs.quiet = {{"quiet", ""}, Time::ns(10)};
  world.costs.fence = {{"fence", ""}, Time::ns(10)};
  world.costs.barrier = {{"barrier", ""}, Time::ns(20)};
  world.costs.poll = {{"poll", ""}, Time::ns(10)};
  world.costs.fence_waits = tested.fence_waits;
  world.costs.barrier_is_polled = tested.barrier_is_polled;
  if (tested.shares_memory)
    world.costs.memory =
        MemoryCosts{Rate::per_second(1e9), MemoryPort::Sharing::fair, Bytes(50), Rate::per_second(1e9)};
  return world;
}

std::string run_plan(std::uint32_t seed, const ShmemCase& tested, bool lockstep, bool recorded) {
  const Plan plan = make_plan(seed);
  Memories memories(plan);
  Output output;
  test::StepText steps;
  std::optional<traces::Stream> stream;
  std::vector<std::string> texts(static_cast<std::size_t>(plan.pes));
  World world = world_of(tested);
  world.options.lockstep = lockstep;
  world.prepare = [&](Engine& engine) {
    if (!recorded) return;
    stream.emplace(engine, steps, seed % 2 == 0 ? 1 : 4096);
    engine.set_recorder(&*stream);
  };
  const Body body = [&](Pe& pe) {
    texts[static_cast<std::size_t>(pe.number())] = Program(plan, pe, memories, output).run();
  };
  world.at_end = [&] {
    if (stream) stream->finish();
  };
  run_pes(std::vector<Body>(static_cast<std::size_t>(plan.pes), body), world);
  std::string all = output.text + steps.text;
  for (const std::string& text : texts) all += text;
  if (testing::Test::HasFailure()) _exit(3);
  return all;
}

class RandomShmemPrograms : public testing::TestWithParam<ShmemCase> {
 protected:
  static void compare(bool recorded, std::uint32_t seeds) {
    test::for_each_seed(seeds, [&](std::uint32_t seed) {
      const auto run = [&](bool lockstep) {
        return test::text_from_child([&, lockstep] { return run_plan(seed, GetParam(), lockstep, recorded); });
      };
      const std::string ahead = run(false);
      ASSERT_NE(ahead.find("end"), std::string::npos);
      ASSERT_EQ(ahead, run(true));
    });
  }
};

TEST_P(RandomShmemPrograms, SeeTheSameAheadOfTheClockAndInLockstep) { compare(false, 200); }
TEST_P(RandomShmemPrograms, AreRecordedAlikeAheadOfTheClockAndInLockstep) { compare(true, 100); }

std::vector<ShmemCase> shmem_cases() {
  std::vector<ShmemCase> all;
  for (const std::string network : {"wormhole", "fluid"}) {
    all.push_back({network, network});
    all.push_back({network + "_few_registers", network, 100});
    all.push_back({network + "_no_registers", network, 0, false, false});
  }
  all.push_back({"shared_memory", "wormhole", 4096, true, true, true});
  all.push_back({"shared_memory_few_registers", "wormhole", 100, true, true, true});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Shmem, RandomShmemPrograms, testing::ValuesIn(shmem_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace hindcast::shmem
