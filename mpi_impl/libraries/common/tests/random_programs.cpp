// Random programs of messages, tests, probes and computation, run ahead of the clock and in lockstep: what each rank
// sees, and when, is the same, and so are the steps that a recorder is told of. Every kind of progress, both protocols,
// MPI on CellOS in its modes, with broadcasts and barriers among its messages, both libraries of the T3E, with
// barriers, and a network whose messages slow each other down.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <deque>
#include <map>
#include <random>
#include <variant>

#include "mpi_impl/libraries/cellos/mpi/device.hpp"
#include "mpi_impl/libraries/cray/tests/t3e_parts.hpp"
#include "mpi_impl/libraries/plain/device.hpp"
#include "mpi_impl/transport/group_operations.hpp"
#include "simulator/hardware/network/room.hpp"
#include "simulator/machine/file/machine_search.hpp"
#include "simulator/machine/machine.hpp"
#include "tests/support/in_child.hpp"
#include "tests/support/ranks.hpp"
#include "tests/support/step_text.hpp"
#include "traces/stream.hpp"

namespace hindcast::mpi {
namespace {

using test::NoWait;

// A latency, a time per byte, one transfer at a time into each node: enough that the order of arrivals matters.
class TestNetwork final : public Network, public EventSink, private Entrance {
 public:
  TestNetwork(Engine& engine, int nodes) : engine_(engine), owner_(engine.new_owner()), free_(nodes) {}
  void submit(Transfer& transfer) override {
    if (transfer.room == nullptr || transfer.room->take(transfer, *this)) admit(transfer);
  }
  void admit(Transfer& transfer) override {
    const Time start = engine_.now();
    transfer.since = start;
    transfer.injected = start + Time::ns(static_cast<std::int64_t>(transfer.bytes.count()));
    Time& port = free_[static_cast<std::size_t>(transfer.to)];
    const Time arrival = later_of(transfer.injected + Time::ns(500), port + Time::ns(50));
    port = arrival;
    transfer.sink->entered(transfer);
    engine_.at(arrival, EventKind::hardware, owner_, *this, reinterpret_cast<std::uint64_t>(&transfer));
  }
  Time latency(int, int) override { return Time::ns(500); }
  void fire(const Event& event) override {
    auto& transfer = *reinterpret_cast<Transfer*>(event.data);
    transfer.sink->arrived(transfer);
  }

 private:
  Engine& engine_;
  EventOwner owner_;
  std::vector<Time> free_;
};

const StepKind computation{"computation", ""};

// To everybody: a broadcast. From and to everybody: a barrier.
constexpr int everybody = -1;

struct PlannedMessage {
  int from, to;
  bool wild;
  std::uint64_t bytes;
  SendMode mode;

  bool comes_for_sure_to(int rank) const {
    return from != rank && from != everybody && (to == rank || to == everybody);
  }
  bool may_come_to(int rank) const { return to == rank || comes_for_sure_to(rank); }
};

struct Plan {
  std::uint32_t seed;
  int ranks;
  std::vector<PlannedMessage> messages;
};

// What a plan has beside messages from one to one.
enum class Together { nothing, barriers, broadcasts_and_barriers };

Plan make_plan(std::uint32_t seed, Together together) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<int>(random() % n); };
  Plan plan{seed, 2 + below(5), {}};
  for (int i = 0, count = 40 + below(60); i < count; ++i)
    plan.messages.push_back({below(static_cast<std::uint32_t>(plan.ranks)),
                             below(static_cast<std::uint32_t>(plan.ranks)), below(3) == 0,
                             static_cast<std::uint64_t>(below(4) == 0 ? 2000 + below(3000) : 8 + below(90)),
                             below(5) == 0 ? SendMode::synchronous : SendMode::standard});
  if (together == Together::nothing) return plan;
  for (PlannedMessage& message : plan.messages)
    if (const int kind = below(12); kind < (together == Together::barriers ? 1 : 3)) {
      message.to = everybody;
      message.wild = false;
      if (kind == 0) message.from = everybody;
    }
  return plan;
}

// Line output of a rank, in the order in which the world sees it.
class World final : public EventSink {
 public:
  void fire(const Event& event) override { text += fmt::format("{} says {}\n", event.at.in_ps(), event.data); }
  std::string text;
};

// One rank's way through the plan. It waits only for what lies behind it in the plan, so it never deadlocks.
class Program {
 public:
  Program(const Plan& plan, int me, Device& device, cellos::Cell* cell, World& world)
      : plan_(plan),
        me_(me),
        device_(device),
        cell_(cell),
        world_(world),
        random_(plan.seed * 1000 + static_cast<std::uint32_t>(me)) {}

  std::string run() {
    if (cell_ != nullptr) {
      for (const std::uint32_t domain : {0, 1}) cell_->register_domain(domain, cellos::Space::library);
      meet();
    }
    for (std::size_t k = 0; k < plan_.messages.size(); ++k) {
      const PlannedMessage& message = plan_.messages[k];
      const bool comes_for_sure = message.comes_for_sure_to(me_);
      if (comes_for_sure && message.wild && below(6) == 0) probe_until_there();
      const bool blocks = comes_for_sure && below(4) == 0;
      if (message.may_come_to(me_)) post(k, blocks);
      if (blocks) finish(receives_.back());
      if (message.from == me_) message.to == everybody ? broadcast(k) : start_send(k);
      if (message.from == everybody) {
        meet();
        log("passed a barrier");
      }
      something_else();
    }
    for (auto& receive : receives_) finish(receive);
    for (auto& send : sends_) finish(send);
    log("end");
    return text_;
  }

 private:
  struct Receive {
    ReceiveOperation operation;
    std::vector<char> buffer;
    bool done = false;
  };
  struct Send {
    SendOperation operation;
    std::vector<char> buffer;
    bool done = false;
    bool wild = false;
  };

  std::uint32_t below(std::uint32_t n) { return random_() % n; }
  Thread& thread() { return *Thread::current(); }

  void log(const std::string& what) {
    if (!thread().clock_is_certain()) thread().settle();
    text_ += fmt::format("{} {} {}\n", me_, thread().clock().in_ps(), what);
  }

  void post(std::size_t k, bool blocks) {
    const PlannedMessage& message = plan_.messages[k];
    Receive& receive = receives_.emplace_back();
    receive.buffer.resize(6000);
    receive.operation.data = receive.buffer.data();
    receive.operation.capacity = Bytes(6000);
    receive.operation.is_blocking = blocks;
    receive.operation.is_nonblocking = !blocks;
    receive.operation.pattern =
        message.wild ? Pattern{1, Pattern::any, Pattern::any} : Pattern{0, message.from, static_cast<std::int32_t>(k)};
    device_.receive(receive.operation);
  }

  void start_send(std::size_t k) {
    const PlannedMessage& message = plan_.messages[k];
    Send& send = sends_.emplace_back();
    send.wild = message.wild;
    send.buffer.assign(message.bytes, static_cast<char>(k));
    send.operation.data = send.buffer.data();
    send.operation.bytes = Bytes(message.bytes);
    send.operation.envelope = {message.wild ? 1U : 0U, me_, static_cast<std::int32_t>(k)};
    send.operation.destination = message.to;
    send.operation.mode = message.mode;
    send.operation.is_nonblocking = k % 2 == 0;
    device_.send(send.operation);
  }

  void meet() {
    if (cell_ == nullptr) {
      Operation over;
      device_.group_operations()->meet({0, me_, plan_.ranks}, over);
      return wait_for(over);
    }
    if (cell_->system().numbers().has_host())
      cell_->sync_with_host("hsync");
    else
      cell_->sync("sync");
  }

  void broadcast(std::size_t k) {
    std::vector<char> buffer(plan_.messages[k].bytes, static_cast<char>(k));
    SendOperation send;
    send.data = buffer.data();
    send.bytes = Bytes(buffer.size());
    send.envelope = {0, me_, static_cast<std::int32_t>(k)};
    device_.group_operations()->broadcast(send, {});
  }

  void something_else() {
    switch (below(7)) {
      case 0:
        return thread().take(computation, Time::ns(static_cast<std::int64_t>(below(5000))));
      case 1:
        return test_one();
      case 2:
        return probe();
      case 3:
        if (!receives_.empty()) finish(receives_[below(static_cast<std::uint32_t>(receives_.size()))]);
        return;
      case 4:
        if (!sends_.empty()) {
          Send& send = sends_[below(static_cast<std::uint32_t>(sends_.size()))];
          if (!send.wild) finish(send);
        }
        return;
      case 5:
        thread().charge(Time::ps(7));
        return thread().act(world_, below(1000) + static_cast<std::uint64_t>(me_) * 1000);
      default:
        return log("looks at the clock");
    }
  }

  void test_one() {
    if (receives_.empty()) return;
    Receive& receive = receives_[below(static_cast<std::uint32_t>(receives_.size()))];
    if (receive.done) return;
    device_.poll(NoWait());
    while (!receive.operation.holds_at(thread().clock()) && thread().engine().now() < thread().clock())
      thread().settle();
    const bool done = receive.operation.holds_at(thread().clock());
    log(done ? "tested: done" : "tested: not yet");
    if (done) finish(receive);
  }

  void probe() {
    device_.poll(NoWait());
    thread().settle();
    Envelope envelope;
    Bytes bytes;
    const bool found = device_.probe({1, Pattern::any, Pattern::any}, envelope, bytes, nullptr);
    log(found ? fmt::format("probed {} {}", envelope.tag, bytes.count()) : "probed nothing");
  }

  // More wild messages are to come than wild receives are posted.
  void probe_until_there() {
    Envelope envelope;
    Bytes bytes;
    for (;;) {
      thread().settle();
      Completion arrival;
      if (device_.probe({1, Pattern::any, Pattern::any}, envelope, bytes, &arrival)) break;
      wait_for(arrival);
    }
    log(fmt::format("found {} {}", envelope.tag, bytes.count()));
  }

  void wait_for(Completion& completion) {
    NoWait why;
    Gate gate(thread());
    gate.add(completion);
    device_.wait(gate, why);
    device_.wait_until(completion.at(), why);
  }

  void finish(Receive& receive) {
    if (receive.done) return;
    wait_for(receive.operation);
    device_.finish(receive.operation);
    receive.done = true;
    const std::int32_t k = receive.operation.envelope.tag;
    const std::uint64_t bytes = receive.operation.bytes.count();
    EXPECT_EQ(bytes, plan_.messages[static_cast<std::size_t>(k)].bytes);
    for (std::uint64_t i = 0; i < bytes; ++i) ASSERT_EQ(receive.buffer[i], static_cast<char>(k));
    log(fmt::format("received {}", k));
  }

  void finish(Send& send) {
    if (send.done) return;
    wait_for(send.operation);
    device_.release_buffer(send.operation);
    device_.finish(send.operation);
    send.done = true;
    std::fill(send.buffer.begin(), send.buffer.end(), static_cast<char>(99));
    log(fmt::format("sent {}", send.operation.envelope.tag));
  }

  const Plan& plan_;
  int me_;
  Device& device_;
  cellos::Cell* cell_;  // of a machine with CellOS
  World& world_;
  std::mt19937 random_;
  std::deque<Receive> receives_;
  std::deque<Send> sends_;
  std::string text_;
};

enum class NetworkKind { test, fluid };

// The hosts of a run and what connects them.
class Site {
 public:
  Site(Engine& engine, NetworkKind kind, int nodes) {
    if (kind == NetworkKind::test) {
      test::make_hosts(nodes);
      network_ = std::make_unique<TestNetwork>(engine, nodes);
    } else {
      file_.set("network=fluid");
      machine_ = Machine::build(engine, file_, nodes);
    }
  }
  Network& network() { return machine_ ? machine_->network() : *network_; }
  std::string host(int node) const { return machine_ ? machine_->host_name(node) : "h" + std::to_string(node); }

 private:
  MachineFile file_ = load_machine("ideal");
  std::unique_ptr<Machine> machine_;
  std::unique_ptr<TestNetwork> network_;
};

// What the ranks' devices belong to.
class TestLibrary {
 public:
  virtual ~TestLibrary() = default;
  virtual Device& add(Rank& rank, int node) = 0;
};

class PlainTestLibrary final : public TestLibrary {
 public:
  PlainTestLibrary(Engine& engine, Network& network, Progress progress)
      : costs_(costs(progress)), machine_(engine, network, costs_) {}
  Device& add(Rank& rank, int node) override {
    rank.main_thread().set_progress(costs_.progress, costs_.poll);
    return devices_.emplace_back(machine_, rank, node);
  }

 private:
  static PlainCosts costs(Progress progress) {
    PlainCosts costs;
    costs.send_overhead = Time::ns(300);
    costs.receive_overhead = Time::ns(400);
    costs.poll = Time::ns(150);
    costs.service = Time::ns(220);
    costs.local = {Rate::per_second(2e9), Rate(), Time::ns(10)};
    costs.eager_limit = Bytes(1000);
    costs.header = Bytes(32);
    costs.progress = progress;
    return costs;
  }
  const PlainCosts costs_;
  PlainMachine machine_;
  std::deque<PlainDevice> devices_;
};

struct CellosMode {
  bool line_sending = false;
  std::uint64_t ring_buffer = 1 << 20;
  std::uint64_t send_buffer = 1 << 20;
  cellos::BusIsHeld bus_is_held = cellos::BusIsHeld::until_taken;
  ContextIn context_in = ContextIn::header;
  bool with_host = false;
  bool nonblocking_by_striding = false;
  bool synchronous_by_put = false;
};

class CellosTestLibrary final : public TestLibrary {
 public:
  CellosTestLibrary(Engine& engine, Network& network, const CellosMode& mode, int ranks)
      : bus_(engine, Channel{Time(), Time::ns(20), Bandwidth::per_second(2e9)}, "bus"),
        tree_(engine, Channel{Time(), Time::ns(10), Bandwidth()}, ranks, 2),
        line_(engine, bus_, Channel{Time(), Time::ns(40), Bandwidth::per_second(5e8)}, "host"),
        system_(engine, {network, bus_, mode.bus_is_held, tree_, tree_, host(mode)}, costs(mode),
                [](int, const std::string&) { std::abort(); }),
        mode_(mode) {}
  Device& add(Rank& rank, int node) override {
    rank.main_thread().set_progress(Progress::polling, system_.costs().probe.cost);
    rank.main_thread().set_may_be_interrupted();
    CellosDevice::Settings settings;
    settings.local = {Rate::per_second(1e9), Rate(), Time::ns(10)};
    settings.context_in = mode_.context_in;
    settings.type_numbers = &type_numbers_;
    settings.nonblocking_by_striding = mode_.nonblocking_by_striding;
    settings.synchronous_by_put = mode_.synchronous_by_put;
    return devices_.emplace_back(cells_.emplace_back(system_, rank, node), settings);
  }

 private:
  static cellos::Costs costs(const CellosMode& mode) {
    cellos::Costs costs;
    costs.send = {{"send overhead", ""}, Time::ns(300)};
    costs.domain = {{"domain", ""}, Time::ns(70)};
    costs.receive = {{"receive overhead", ""}, Time::ns(400)};
    costs.probe = {{"probe", ""}, Time::ns(150)};
    costs.broadcast = {{"broadcast", ""}, Time::ns(500)};
    costs.discard = {{"discard", ""}, Time::ns(90)};
    costs.remote_service = {{"put or get from another cell", ""}, Time::ns(130)};
    costs.sync = costs.host_sync = {{"sync", ""}, Time::ns(250)};
    costs.domains_max = 2;
    costs.copy_in = {{"copy in", ""}, Rate::per_second(2e9)};
    costs.copy_out = {{"copy out", ""}, Rate::per_second(2e9)};
    costs.clock_read = Time::ns(10);
    costs.cache = costs.cache_line = Bytes(64);
    costs.header = Bytes(32);
    costs.line_sending = mode.line_sending;
    costs.ring_buffer = Bytes(mode.ring_buffer);
    costs.send_buffer = Bytes(mode.send_buffer);
    return costs;
  }
  // On node 0.
  std::optional<cellos::HostParts> host(const CellosMode& mode) {
    if (!mode.with_host) return std::nullopt;
    cellos::Costs slower = costs(mode);
    slower.receive.cost = Time::ns(700);
    return cellos::HostParts{0, line_, tree_, tree_, tree_, slower};
  }
  BroadcastBus bus_;
  BarrierTree tree_;
  FrontEndLine line_;
  cellos::System system_;
  const CellosMode mode_;
  CellosTypeNumbers type_numbers_{1};
  std::deque<cellos::Cell> cells_;
  std::deque<CellosDevice> devices_;
};

class T3eTestLibrary final : public TestLibrary {
 public:
  T3eTestLibrary(Engine& engine, Network& network, const T3eMode& mode, int ranks)
      : parts_(engine, network, ranks, mode) {}
  Device& add(Rank& rank, int node) override { return parts_.add(rank, node); }

 private:
  T3eParts parts_;
};

using Mode = std::variant<Progress, CellosMode, T3eMode>;

Together together_in(const Mode& mode) {
  if (std::holds_alternative<CellosMode>(mode)) return Together::broadcasts_and_barriers;
  return std::holds_alternative<T3eMode>(mode) ? Together::barriers : Together::nothing;
}

std::unique_ptr<TestLibrary> make_library(Engine& engine, Network& network, const Mode& mode, int ranks) {
  if (const auto* cellos = std::get_if<CellosMode>(&mode))
    return std::make_unique<CellosTestLibrary>(engine, network, *cellos, ranks);
  if (const auto* t3e = std::get_if<T3eMode>(&mode))
    return std::make_unique<T3eTestLibrary>(engine, network, *t3e, ranks);
  return std::make_unique<PlainTestLibrary>(engine, network, std::get<Progress>(mode));
}

cellos::Cell* cell_of(const Rank& rank, const Mode& mode) {
  return std::holds_alternative<CellosMode>(mode) ? cellos::Cell::of(rank) : nullptr;
}

// Nothing if the program could not come to its end, which finite buffers can prevent.
std::string run_plan(std::uint32_t seed, const Mode& mode, NetworkKind kind, bool lockstep, bool recorded = false) {
  const Plan plan = make_plan(seed, together_in(mode));
  EngineOptions options;
  options.lockstep = lockstep;
  Engine engine(options);
  Site site(engine, kind, plan.ranks);
  const auto library = make_library(engine, site.network(), mode, plan.ranks);
  World world;
  std::vector<Device*> devices;
  std::vector<std::string> texts(static_cast<std::size_t>(plan.ranks));
  test::StepText steps;
  traces::Stream stream(engine, steps, seed % 2 == 0 ? 1 : 4096);
  if (recorded) engine.set_recorder(&stream);
  for (int rank = 0; rank < plan.ranks; ++rank) {
    Rank& added = engine.add_rank(site.host(rank));
    engine.start_thread(added, [&, rank] {
      texts[static_cast<std::size_t>(rank)] =
          Program(plan, rank, *devices[static_cast<std::size_t>(rank)], cell_of(added, mode), world).run();
    });
    devices.push_back(&library->add(added, rank));
  }
  engine.run([](Ending) { _exit(0); });
  stream.finish();
  std::string all = world.text + steps.text;
  for (const std::string& text : texts) all += text;
  if (testing::Test::HasFailure()) _exit(3);
  return all;
}

struct Case {
  std::string name;
  Mode mode;
  NetworkKind network;
};

class RandomPrograms : public testing::TestWithParam<Case> {};

TEST_P(RandomPrograms, SeeTheSameAheadOfTheClockAndInLockstep) {
  const Case& tested = GetParam();
  constexpr std::uint32_t seeds = 200;
  std::uint32_t ended = 0;
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    const auto run = [&](bool lockstep) {
      return test::text_from_child([&, lockstep] { return run_plan(seed, tested.mode, tested.network, lockstep); });
    };
    const std::string ahead = run(false);
    const std::string lockstep = run(true);
    ASSERT_EQ(ahead, lockstep) << "seed " << seed;
    if (!ahead.empty()) ++ended;
  }
  const auto* cellos = std::get_if<CellosMode>(&tested.mode);
  if (std::holds_alternative<T3eMode>(tested.mode))
    EXPECT_GE(ended, seeds * 3 / 4) << "who has ended, or computes, makes no progress for others";
  else if (cellos == nullptr)
    EXPECT_EQ(ended, seeds);
  else if (cellos->ring_buffer < CellosMode().ring_buffer)
    EXPECT_GE(ended, seeds / 2) << "room may be lacking for ever";
  else if (cellos->synchronous_by_put)
    EXPECT_GE(ended, seeds / 3) << "who is in a barrier neither answers nor puts";
  else
    EXPECT_GE(ended, seeds * 3 / 4) << "who is in a barrier acknowledges nothing";
}

TEST_P(RandomPrograms, AreRecordedAlikeAheadOfTheClockAndInLockstep) {
  const Case& tested = GetParam();
  if (std::holds_alternative<CellosMode>(tested.mode)) GTEST_SKIP() << "steps on CellOS are not held to this yet";
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    const auto run = [&](bool lockstep) {
      return test::text_from_child(
          [&, lockstep] { return run_plan(seed, tested.mode, tested.network, lockstep, true); });
    };
    const std::string ahead = run(false);
    const std::string lockstep = run(true);
    ASSERT_TRUE(ahead.empty() || ahead.find("receive") != std::string::npos);
    ASSERT_EQ(ahead, lockstep) << "seed " << seed;
  }
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto network : {NetworkKind::test, NetworkKind::fluid}) {
    const std::string on = network == NetworkKind::fluid ? "_fluid" : "";
    all.push_back({"hardware" + on, Progress::hardware, network});
    all.push_back({"interrupt" + on, Progress::interrupt, network});
    all.push_back({"polling" + on, Progress::polling, network});
    all.push_back({"cellos" + on, CellosMode{}, network});
    all.push_back({"cellos_line_sending" + on, CellosMode{.line_sending = true}, network});
    all.push_back(
        {"cellos_bus_for_wire_time" + on, CellosMode{.bus_is_held = cellos::BusIsHeld::for_wire_time}, network});
    all.push_back({"cellos_context_in_type" + on, CellosMode{.context_in = ContextIn::type}, network});
    all.push_back({"cellos_context_packed" + on, CellosMode{.context_in = ContextIn::packed}, network});
    all.push_back({"cellos_extra_message" + on, CellosMode{.context_in = ContextIn::extra_message}, network});
    all.push_back({"cellos_with_host" + on, CellosMode{.with_host = true}, network});
    all.push_back({"cellos_with_host_line_sending" + on, CellosMode{.line_sending = true, .with_host = true}, network});
    all.push_back({"cellos_tight_send_buffer" + on, CellosMode{.send_buffer = 6000}, network});
    all.push_back({"cellos_tight_ring_buffer" + on, CellosMode{.ring_buffer = 12000}, network});
    all.push_back({"cellos_striding" + on, CellosMode{.nonblocking_by_striding = true}, network});
    all.push_back({"cellos_put" + on, CellosMode{.synchronous_by_put = true}, network});
    all.push_back(
        {"cellos_striding_put" + on, CellosMode{.nonblocking_by_striding = true, .synchronous_by_put = true}, network});
    all.push_back({"cellos_put_context_packed" + on,
                   CellosMode{.context_in = ContextIn::packed, .synchronous_by_put = true}, network});
    all.push_back({"cellos_striding_tight_ring_buffer" + on,
                   CellosMode{.ring_buffer = 12000, .nonblocking_by_striding = true}, network});
  }
  const auto add_t3e = [&](const std::string& name, const T3eMode& mode) {
    all.push_back({"t3e_" + name, mode, NetworkKind::test});
  };
  add_t3e("new", {});
  add_t3e("new_all_rat", {.short_max = 0, .medium = "RAT", .longer = "RAT"});
  add_t3e("new_buffered", {.buffer_max = 5000});
  add_t3e("new_tight_queue", {.packets = 2});
  add_t3e("old", {.is_old = true});
  add_t3e("old_no_tn", {.is_old = true, .medium = "RTA"});
  add_t3e("old_all_rat", {.is_old = true, .short_max = 0, .medium = "RAT", .longer = "RAT"});
  add_t3e("old_buffered", {.is_old = true, .buffer_max = 5000});
  add_t3e("old_tight_queue", {.is_old = true, .slots = 4, .medium_max = 96});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Devices, RandomPrograms, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace hindcast::mpi
