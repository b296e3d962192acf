// The clock rule, one sentence at a time.
#include "simulator/engine/thread.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "simulator/engine/completion.hpp"
#include "tests/support/parts.hpp"
#include "tests/support/ranks.hpp"

namespace hindcast {
namespace {

using test::Notes;
using test::NoWait;
using test::Part;
using test::Seen;

TEST(Thread, ChargesWithoutGivingWay) {
  Engine engine({});
  test::run_ranks(engine, {[&](Thread& thread) {
                    thread.charge(Time::ps(100));
                    EXPECT_EQ(thread.clock(), Time::ps(100));
                    EXPECT_EQ(engine.now(), Time());
                  }});
}

TEST(Thread, InLockstepPaysEachChargeAtOnce) {
  EngineOptions options;
  options.lockstep = true;
  Engine engine(options);
  test::run_ranks(engine, {[&](Thread& thread) {
                    thread.charge(Time::ps(100));
                    EXPECT_EQ(engine.now(), Time::ps(100));
                  }});
}

TEST(Thread, SettlesAtItsClockBeforeAnythingElseOfThatInstant) {
  Engine engine({});
  Part part(engine);
  bool fired = false;
  part.at(Time::ps(70), [&] { fired = true; });
  test::run_ranks(engine, {[&](Thread& thread) {
                    thread.charge(Time::ps(70));
                    thread.settle();
                    EXPECT_EQ(engine.now(), Time::ps(70));
                    EXPECT_FALSE(fired);
                    thread.charge(Time::ps(1));
                    thread.settle();
                    EXPECT_TRUE(fired);
                  }});
}

TEST(Thread, IsWokenNoEarlierThanAfterWhatWokeIt) {
  Engine engine({});
  Part part(engine);
  Completion completion;
  part.at(Time::ps(500), [&] { completion.complete(Time::ps(500)); });
  test::run_ranks(engine, {[&](Thread& thread) {
                    Gate gate(thread);
                    gate.add(completion);
                    gate.pass(NoWait());
                    EXPECT_EQ(thread.clock(), Time::ps(501));
                  }});
}

// More than run before others are woken: that they do is not to be noticed.
TEST(Thread, ThatIsWokenWithManyOthersActsAfterAllOfThatInstant) {
  constexpr int count = 100;
  Engine engine({});
  Notes notes(engine);
  Part part(engine);
  std::vector<Completion> completions(count);
  std::vector<std::function<void(Thread&)>> bodies;
  Seen expected;
  for (std::uint64_t i = 0; i < count; ++i) {
    part.at(Time::ps(500), [&, i] { completions[i].complete(Time::ps(500)); });
    bodies.emplace_back([&, i](Thread& thread) {
      Gate gate(thread);
      gate.add(completions[i]);
      gate.pass(NoWait());
      EXPECT_EQ(thread.clock(), Time::ps(501));
      thread.act(notes, i);
      thread.settle();
      EXPECT_TRUE(completions.back().is_known());
    });
    expected.emplace_back(501, i);
  }
  test::run_ranks(engine, bodies);
  EXPECT_EQ(notes.seen, expected);
}

TEST(Thread, MayUseAForeseenFact) {
  Engine engine({});
  Part part(engine);
  Completion completion;
  part.at(Time::ps(10), [&] { completion.complete(Time::ps(900)); });
  test::run_ranks(engine, {[&](Thread& thread) {
                    Gate gate(thread);
                    gate.add(completion);
                    gate.pass(NoWait());
                    EXPECT_FALSE(completion.holds_at(thread.clock()));
                    thread.idle_until(completion.at(), NoWait());
                    EXPECT_EQ(thread.clock(), Time::ps(900));
                    EXPECT_EQ(engine.now(), Time::ps(10));
                  }});
}

TEST(Rank, WithAFurtherThreadStopsRunningAhead) {
  Engine engine({});
  Notes notes(engine);
  test::run_ranks(engine, {[&](Thread& thread) {
                    thread.charge(Time::ps(40));
                    engine.start_thread(thread.rank(), [&] {
                      EXPECT_EQ(Thread::current()->clock(), Time::ps(40));
                      Thread::current()->charge(Time::ps(5));
                      EXPECT_EQ(engine.now(), Time::ps(45));
                      Thread::current()->act(notes, 1);
                    });
                    thread.charge(Time::ps(100));
                    EXPECT_EQ(engine.now(), Time::ps(140));
                    EXPECT_EQ(notes.seen.size(), 1U);
                  }});
}

}  // namespace
}  // namespace hindcast
