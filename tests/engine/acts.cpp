// What a thread does that others notice happens at the thread's own time.
#include "simulator/engine/thread.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "tests/support/parts.hpp"
#include "tests/support/ranks.hpp"

namespace hindcast {
namespace {

using test::Notes;
using test::Part;
using test::Seen;

TEST(Acts, FireAtTheirTimesAndNotWhenTheThreadIsThere) {
  Engine engine({});
  Notes notes(engine);
  test::run_ranks(engine, {[&](Thread& thread) {
                    thread.charge(Time::ps(100));
                    EXPECT_EQ(engine.now(), Time());
                    thread.act(notes, 1);
                    thread.charge(Time::ps(50));
                    thread.act(notes, 2);
                    EXPECT_TRUE(notes.seen.empty());
                  }});
  EXPECT_EQ(notes.seen, (Seen{{100, 1}, {150, 2}}));
}

TEST(Acts, OfSeveralThreadsComeInTheOrderOfTheirTimes) {
  Engine engine({});
  Notes notes(engine);
  const auto body = [&notes](std::int64_t step, std::uint64_t name) {
    return [&notes, step, name](Thread& thread) {
      for (int i = 0; i < 3; ++i) {
        thread.charge(Time::ps(step));
        thread.act(notes, name);
      }
    };
  };
  test::run_ranks(engine, {body(30, 0), body(20, 1)});
  EXPECT_EQ(notes.seen, (Seen{{20, 1}, {30, 0}, {40, 1}, {60, 0}, {60, 1}, {90, 0}}));
}

TEST(Acts, MakeTheThreadGiveWayWhenManyHaveNotFired) {
  Engine engine({});
  Notes notes(engine);
  test::run_ranks(engine, {[&](Thread& thread) {
                    for (std::uint64_t i = 0; i < 100; ++i) {
                      thread.charge(Time::ps(1));
                      thread.act(notes, i);
                      EXPECT_LE(i + 1 - notes.seen.size(), 16U);
                    }
                  }});
  ASSERT_EQ(notes.seen.size(), 100U);
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_EQ(notes.seen[i], (std::pair<std::int64_t, std::uint64_t>(i + 1, i)));
}

TEST(Acts, MakeTheThreadGiveWayWhenTheyHoldMuchMemory) {
  Engine engine({});
  Notes notes(engine);
  test::run_ranks(engine, {[&](Thread& thread) {
                    thread.charge(Time::ps(5));
                    thread.act(notes, 1, Bytes(200'000));
                    EXPECT_TRUE(notes.seen.empty());
                    thread.act(notes, 2, Bytes(100'000));
                    EXPECT_EQ(notes.seen.size(), 2U);
                  }});
}

TEST(QuietActs, ThatAreDueFireWhenAsked) {
  Engine engine({});
  Notes notes(engine);
  Part part(engine);
  test::run_ranks(engine, {[&](Thread& thread) {
                    part.at(Time::ps(25), [&] {
                      EXPECT_TRUE(notes.seen.empty());
                      thread.fire_quiet_acts();
                    });
                    for (std::uint64_t i = 1; i <= 4; ++i) {
                      thread.charge(Time::ps(10));
                      thread.act_quietly(notes, i);
                    }
                  }});
  EXPECT_EQ(notes.seen, (Seen{{25, 1}, {25, 2}}));
}

TEST(QuietActs, FireInTheOrderOfTheirTimesWhenAHandlerHasPutOneBeforeOthers) {
  Engine engine({});
  Notes notes(engine);
  Part part(engine);
  test::run_ranks(engine, {[&](Thread& thread) {
                    part.at(Time::ps(5),
                            [&] { thread.insert_quiet_act(Time::ps(15), thread.reserve_act(), notes, 9); });
                    part.at(Time::ps(25), [&] { thread.fire_quiet_acts(); });
                    for (std::uint64_t i = 1; i <= 3; ++i) {
                      thread.charge(Time::ps(10));
                      thread.act_quietly(notes, i);
                    }
                  }});
  EXPECT_EQ(notes.seen, (Seen{{25, 1}, {25, 9}, {25, 2}}));
}

TEST(QuietActs, FireAtTheirTimeOnceTheyAreHeard) {
  Engine engine({});
  Notes notes(engine);
  Part part(engine);
  test::run_ranks(engine, {[&](Thread& thread) {
                    part.at(Time::ps(25), [&] { thread.make_quiet_acts_heard(); });
                    for (std::uint64_t i = 1; i <= 4; ++i) {
                      thread.charge(Time::ps(10));
                      thread.act_quietly(notes, i);
                    }
                  }});
  EXPECT_EQ(notes.seen, (Seen{{25, 1}, {25, 2}, {30, 3}, {40, 4}}));
}

TEST(QuietActs, ThatAreNotDueArePutOffByInterruptions) {
  Engine engine({});
  Notes notes(engine);
  Part part(engine);
  test::run_ranks(engine, {[&](Thread& thread) {
                    thread.rank().set_progress(Progress::interrupt, Time());
                    part.at(Time::ps(15), [&] { thread.serve(*thread.service_start(), Time::ps(100)); });
                    part.at(Time::ps(16), [&] { thread.make_quiet_acts_heard(); });
                    for (std::uint64_t i = 1; i <= 2; ++i) {
                      thread.charge(Time::ps(10));
                      thread.act_quietly(notes, i);
                    }
                  }});
  EXPECT_EQ(notes.seen, (Seen{{16, 1}, {120, 2}}));
}

}  // namespace
}  // namespace hindcast
