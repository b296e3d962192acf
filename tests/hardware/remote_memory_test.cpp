// One service of remote memory, and three who may serve at the other end: each put, get and swap with its time.
#include "simulator/hardware/node/remote_memory.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <optional>

#include "simulator/engine/completion.hpp"
#include "simulator/hardware/node/pending_operations.hpp"
#include "simulator/hardware/node/remote_memory_agents.hpp"
#include "tests/support/parts.hpp"
#include "tests/support/ranks.hpp"

namespace hindcast {
namespace {

using test::NoWait;

// What is sent takes 100 ns and a nanosecond a byte, whatever else is under way; a signal takes 40 ns.
class EvenNetwork final : public Network, private EventSink {
 public:
  explicit EvenNetwork(Engine& engine) : engine_(engine), owner_(engine.new_owner()) {}
  void submit(Transfer& transfer) override {
    transfer.since = engine_.now();
    transfer.injected = engine_.now() + Time::ns(1) * static_cast<std::int64_t>(transfer.bytes.count());
    transfer.sink->entered(transfer);
    const auto data = reinterpret_cast<std::uint64_t>(&transfer);
    engine_.at(transfer.injected + Time::ns(100), EventKind::hardware, owner_, *this, data);
  }
  Time latency(int, int) override { return Time::ns(40); }

 private:
  void fire(const Event& event) override {
    auto& transfer = *reinterpret_cast<Transfer*>(event.data);
    transfer.sink->arrived(transfer);
  }
  Engine& engine_;
  EventOwner owner_;
};

enum class AgentKind { hardware, interrupted, polling };

constexpr Bytes header(10);
constexpr std::uint64_t word = 7;

// Node 0's thread calls, node 1 serves. Between them an operation that carries a word takes 118 ns, an empty one 110.
class RemoteMemoryTest : public testing::Test {
 protected:
  void run(AgentKind kind, const std::function<void(Thread&)>& caller, const std::function<void(Thread&)>& other) {
    Engine engine(EngineOptions{});
    test::make_nodes(2);
    EvenNetwork network(engine);
    RemoteMemory memory(
        engine, network,
        {header, Bytes(64), {}, {}, {{"service", ""}, Time::ns(30)}, {{"performed", ""}, Time::ns(20)}});
    memory_ = &memory;
    const RemoteMemoryService service{
        {{"put", ""}, Time::ns(200)}, {{"get", ""}, Time::ns(300)}, {{"atomic", ""}, Time::ns(400)}};
    Rank& calling = engine.add_rank("h0");
    Rank& called = engine.add_rank("h1");
    InterruptedAgent interrupted(called, service);
    PollingAgent polling(called, memory, service);
    polling_ = &polling;
    if (kind == AgentKind::interrupted) called.set_may_be_interrupted();
    if (kind == AgentKind::polling) called.set_progress(Progress::polling, Time::ns(50));
    RemoteMemoryAgent* const agents[] = {nullptr, &interrupted, &polling};
    near_.emplace(0, Bytes(64));
    far_.emplace(1, Bytes(64), agents[static_cast<std::size_t>(kind)]);
    engine.start_thread(calling, [&] { caller(*Thread::current()); });
    engine.start_thread(called, [&] { other(*Thread::current()); });
    engine.run(test::must_not_end_early);
  }

  void put(PendingOperations& pending) {
    begin(memory_->new_put(*near_, *far_, in_one_piece(&here_, word_), in_one_piece(&there_, word_), 1,
                           &pending.one_more()));
  }
  void get(PendingOperations& pending) {
    begin(memory_->new_get(*near_, *far_, in_one_piece(&here_, word_), in_one_piece(&there_, word_), 1,
                           pending.one_more()));
  }
  void swap(PendingOperations& pending) {
    begin(
        memory_->new_atomic(*near_, *far_, &there_, 8, {AtomicOperation::swap, word, 0}, 1, old_, pending.one_more()));
  }
  void begin(RemoteMemory::Operation& operation) {
    Thread::current()->act(*memory_, RemoteMemory::request_of(operation));
  }

  // When each is over that is begun at 0, 10 us and 20 us, in nanoseconds from its beginning.
  std::array<std::int64_t, 3> times(AgentKind kind, const std::function<void(Thread&)>& other) {
    std::array<std::int64_t, 3> taken{};
    run(
        kind,
        [&](Thread& thread) {
          PendingOperations pending;
          void (RemoteMemoryTest::*const operations[])(PendingOperations&) = {
              &RemoteMemoryTest::put, &RemoteMemoryTest::get, &RemoteMemoryTest::swap};
          for (std::size_t i = 0; i < 3; ++i) {
            const Time start = Time::us(10) * static_cast<std::int64_t>(i);
            thread.idle_until(start, NoWait{});
            here_ = word;
            (this->*operations[i])(pending);
            pending.wait_for_all(NoWait{});
            taken[i] = (thread.clock() - start).in_ps() / 1000;
            EXPECT_EQ(there_, word);
            EXPECT_EQ(here_, word);
          }
          EXPECT_EQ(old_, word);
        },
        other);
    return taken;
  }

  const Bytes word_{8};
  std::uint64_t here_ = 0;
  std::uint64_t there_ = 0;
  std::uint64_t old_ = 0;
  RemoteMemory* memory_ = nullptr;
  PollingAgent* polling_ = nullptr;
  std::optional<RemoteMemoryUnit> near_;
  std::optional<RemoteMemoryUnit> far_;
};

TEST_F(RemoteMemoryTest, HardwareServesBesideTheProcessor) {
  Time end;
  const auto taken = times(AgentKind::hardware, [&](Thread& thread) {
    thread.charge(Time::us(30));
    end = thread.clock();
  });
  EXPECT_EQ(taken[0], 118 + 40);        // and a signal back
  EXPECT_EQ(taken[1], 110 + 30 + 118);  // the memory's time, and the word back
  EXPECT_EQ(taken[2], 118 + 20 + 118);
  EXPECT_EQ(end, Time::us(30));
}

TEST_F(RemoteMemoryTest, AnInterruptTakesTheProcessorFromWhateverItDoes) {
  Time end;
  const auto taken = times(AgentKind::interrupted, [&](Thread& thread) {
    thread.charge(Time::us(30));
    thread.settle();
    end = thread.clock();
  });
  EXPECT_EQ(taken[0], 118 + 200 + 110);  // and an empty answer
  EXPECT_EQ(taken[1], 110 + 300 + 118);
  EXPECT_EQ(taken[2], 118 + 400 + 118);
  EXPECT_EQ(end, Time::us(30) + Time::ns(900));
}

TEST_F(RemoteMemoryTest, AProcessorThatWaitsServesAtItsNextPoll) {
  const auto taken = times(AgentKind::polling, [&](Thread& thread) {
    test::Part part(thread.engine());
    Completion over;
    part.at(Time::us(30), [&] { over.complete(Time::us(30)); });
    Gate gate(thread);
    gate.add(over);
    gate.pass(NoWait{});
  });
  // It polls every 50 ns, from 0 on and then from the end of its work before: at 150 ns, 10.15 us and 20.15 us.
  EXPECT_EQ(taken[0], 150 + 200 + 110);
  EXPECT_EQ(taken[1], 150 + 300 + 118);
  EXPECT_EQ(taken[2], 150 + 400 + 118);
}

TEST_F(RemoteMemoryTest, AProcessorThatComputesServesInItsNextCall) {
  Time end;
  std::int64_t taken = 0;
  run(
      AgentKind::polling,
      [&](Thread& thread) {
        PendingOperations pending;
        here_ = word;
        put(pending);
        pending.wait_for_all(NoWait{});
        taken = thread.clock().in_ps() / 1000;
        EXPECT_EQ(there_, word);
      },
      [&](Thread& thread) {
        thread.charge(Time::us(5));
        thread.settle();
        thread.leave_poll_instant();
        polling_->work_on_what_waits(thread);
        thread.charge(Time::us(1));
        end = thread.clock();
      });
  EXPECT_EQ(taken, 5000 + 200 + 110);
  EXPECT_EQ(end, Time::us(6) + Time::ns(200));
}

TEST_F(RemoteMemoryTest, OperationsAreCountedByTargetAndInAll) {
  run(
      AgentKind::hardware,
      [&](Thread& thread) {
        PendingOperations all;
        PendingOperations at_one(&all);
        PendingOperations at_another(&all);
        put(at_one);
        thread.charge(Time::us(1));
        get(at_another);
        EXPECT_EQ(at_one.pending(), 1U);
        EXPECT_EQ(all.pending(), 2U);
        at_one.wait_for_all(NoWait{});
        EXPECT_EQ(all.pending(), 1U);  // the other has only begun
        all.wait_for_all(NoWait{});
        EXPECT_EQ(at_another.pending(), 0U);
        EXPECT_EQ(thread.clock(), Time::us(1) + Time::ns(258) + Time::ps(1));
      },
      [](Thread&) {});
}

}  // namespace
}  // namespace hindcast
