// Ranks and threads that are born in mid-run, and gone again.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "simulator/engine/completion.hpp"
#include "tests/support/in_child.hpp"
#include "tests/support/parts.hpp"
#include "tests/support/ranks.hpp"

namespace hindcast {
namespace {

using test::Notes;
using test::NoWait;
using test::Part;
using test::Seen;

TEST(Births, AThreadStartsAtTheClockOfTheOneThatStartsIt) {
  Engine engine({});
  Notes notes(engine);
  test::run_ranks(engine, {[&](Thread& thread) {
                    thread.charge(Time::ps(700));
                    Thread& second = engine.start_thread(thread.rank(), [&] {
                      EXPECT_EQ(Thread::current()->clock(), Time::ps(700));
                      Thread::current()->charge(Time::ps(50));
                      Thread::current()->act(notes, 2);
                    });
                    EXPECT_EQ(second.index(), 1);
                    EXPECT_FALSE(thread.rank().may_run_ahead);
                    thread.charge(Time::ps(20));
                    thread.act(notes, 1);
                  }});
  EXPECT_EQ(notes.seen, (Seen{{720, 1}, {750, 2}}));
}

TEST(Births, ARankBornByAHandlerActsAPicosecondLater) {
  Engine engine({});
  Part part(engine);
  Notes notes(engine);
  part.at(Time::ps(500), [&] {
    Rank& child = engine.add_rank("h0");
    EXPECT_EQ(child.id, 1);
    engine.start_thread(child, [&] { Thread::current()->act(notes, 1); });
  });
  test::run_ranks(engine, {[&](Thread& thread) {
                    thread.charge(Time::ps(900));
                    thread.act(notes, 0);
                  }});
  EXPECT_EQ(notes.seen, (Seen{{501, 1}, {900, 0}}));
}

TEST(Births, ThreadsMakeProgressAsTheirRankDoes) {
  Engine engine({});
  test::run_ranks(engine, {[&](Thread& thread) {
                    thread.rank().set_progress(Progress::polling, Time::ps(10));
                    thread.rank().set_may_be_interrupted();
                    const Thread& second = engine.start_thread(thread.rank(), [] {});
                    EXPECT_EQ(second.progress(), Progress::polling);
                    EXPECT_TRUE(second.may_be_interrupted());
                  }});
}

TEST(Births, TheThreadThatWaitsForArrivalsWorksOnThem) {
  Engine engine({});
  Completion done;
  Part part(engine);
  Thread* second = nullptr;
  part.at(Time::ps(305), [&] {
    Thread& attendant = engine.ranks().front()->attendant();
    EXPECT_EQ(&attendant, second);
    const std::optional<Time> start = attendant.service_start();
    ASSERT_TRUE(start);
    EXPECT_EQ(*start, Time::ps(310));  // its poll
    done.complete(attendant.serve(*start, Time::ps(40)));
  });
  test::run_ranks(engine, {[&](Thread& thread) {
                    thread.rank().set_progress(Progress::polling, Time::ps(10));
                    second = &engine.start_thread(thread.rank(), [&] {
                      Gate gate(*Thread::current());
                      gate.add(done);
                      gate.pass(NoWait{});
                      EXPECT_EQ(Thread::current()->clock(), Time::ps(350));
                    });
                    thread.charge(Time::ps(1000));
                    EXPECT_EQ(thread.clock(), Time::ps(1000));  // and is not put off
                  }});
}

// What a thread leaves behind is used again, and what was meant for the old one does not reach the new one.
TEST(Births, ThreadsThatAreGoneMakeRoomForOthers) {
  Engine engine({});
  Notes notes(engine);
  std::set<const Thread*> objects;
  test::run_ranks(engine, {[&](Thread& thread) {
                    for (std::uint64_t round = 0; round < 100; ++round) {
                      Completion over;
                      Thread& child = engine.start_thread(thread.rank(), [&] {
                        Thread& self = *Thread::current();
                        self.idle_until(self.clock() + Time::ps(5), NoWait{});
                        self.act(notes, round);
                        over.complete(self.clock());
                      });
                      EXPECT_EQ(child.index(), 1);
                      objects.insert(&child);
                      Gate gate(thread);
                      gate.add(over);
                      gate.pass(NoWait{});
                      while (child.state() != Thread::State::ended) thread.charge(Time::ps(1));
                      engine.bury(child);
                      EXPECT_EQ(thread.rank().threads.size(), 1U);
                    }
                  }});
  EXPECT_EQ(objects.size(), 1U);
  EXPECT_EQ(notes.seen.size(), 100U);
}

TEST(Births, ARankThatIsGoneLeavesItsNumberToNobody) {
  Engine engine({});
  std::vector<int> numbers;
  test::run_ranks(engine, {[&](Thread& thread) {
                    for (int round = 0; round < 3; ++round) {
                      Rank& child = engine.add_rank("h0");
                      numbers.push_back(child.id);
                      engine.start_thread(child, [] { Thread::current()->charge(Time::ps(10)); });
                      thread.charge(Time::ps(20));
                      thread.settle();
                      engine.bury(child);
                      EXPECT_TRUE(child.threads.empty());
                    }
                  }});
  EXPECT_EQ(numbers, (std::vector{1, 2, 3}));
}

TEST(Births, NobodyIsBuriedAlive) {
  Engine engine({});
  test::run_ranks(engine, {[&](Thread& thread) { EXPECT_THROW(engine.bury(thread), std::logic_error); }});
}

// A family of ranks, each of which has children of its own: the same ahead of the clock and in lockstep.
TEST(Births, AreTheSameInLockstep) {
  const auto run = [](bool lockstep) {
    return test::text_from_child([lockstep] {
      EngineOptions options;
      options.lockstep = lockstep;
      Engine engine(options);
      Notes notes(engine);
      std::function<void(int)> live = [&](int depth) {
        Thread& thread = *Thread::current();
        for (int child = 0; child < 3 && depth < 4; ++child) {
          thread.charge(Time::ps(7 + 5 * child + depth));
          thread.settle();
          engine.start_thread(engine.add_rank("h0"), [&live, depth] { live(depth + 1); });
        }
        thread.charge(Time::ps(100 - depth));
        thread.act(notes, static_cast<std::uint64_t>(thread.rank().id));
      };
      test::run_ranks(engine, {[&](Thread&) { live(0); }});
      std::string text;
      for (const auto& [at, id] : notes.seen) text += std::to_string(at) + " " + std::to_string(id) + "\n";
      return text;
    });
  };
  const std::string ahead = run(false);
  EXPECT_EQ(std::count(ahead.begin(), ahead.end(), '\n'), 1 + 3 + 9 + 27 + 81);
  EXPECT_EQ(ahead, run(true));
}

}  // namespace
}  // namespace hindcast
