// Work on arrivals takes the processor from a thread: by interrupts, or where the thread polls.
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

TEST(Interrupt, PutsOffAThreadThatComputesAndItsLaterActs) {
  Engine engine({});
  Notes notes(engine);
  Part part(engine);
  Thread* victim = nullptr;
  part.at(Time::ps(100), [&] { EXPECT_EQ(victim->serve(*victim->service_start(), Time::ps(30)), Time::ps(130)); });
  test::run_ranks(engine, {[&](Thread& thread) {
                    victim = &thread;
                    thread.rank().set_progress(Progress::interrupt, Time::ps(1));
                    thread.charge(Time::ps(90));
                    thread.act(notes, 1);
                    thread.charge(Time::ps(60));
                    thread.act(notes, 2);
                    thread.charge(Time::ps(10));
                    thread.settle();
                    EXPECT_EQ(thread.clock(), Time::ps(190));
                  }});
  EXPECT_EQ(notes.seen, (Seen{{90, 1}, {180, 2}}));
}

TEST(Interrupt, DelaysAWaitingThreadOnlyByWhatItOverlaps) {
  Engine engine({});
  Part part(engine);
  Thread* victim = nullptr;
  Completion early;
  part.at(Time::ps(100), [&] { victim->serve(*victim->service_start(), Time::ps(30)); });
  part.at(Time::ps(110), [&] { early.complete(engine.now()); });
  test::run_ranks(engine, {[&](Thread& thread) {
                    victim = &thread;
                    thread.rank().set_progress(Progress::interrupt, Time::ps(1));
                    Gate gate(thread);
                    gate.add(early);
                    gate.pass(NoWait());
                    EXPECT_EQ(thread.clock(), Time::ps(130));
                  }});
}

TEST(Interrupt, ThatComesDuringAnotherWaitsForIt) {
  Engine engine({});
  Part part(engine);
  Thread* victim = nullptr;
  std::vector<std::int64_t> ends;
  for (const int at : {100, 110})
    part.at(Time::ps(at), [&] { ends.push_back(victim->serve(*victim->service_start(), Time::ps(30)).in_ps()); });
  test::run_ranks(engine, {[&](Thread& thread) {
                    victim = &thread;
                    thread.rank().set_progress(Progress::interrupt, Time::ps(1));
                    thread.charge(Time::ps(1000));
                    thread.settle();
                    EXPECT_EQ(thread.clock(), Time::ps(1060));
                  }});
  EXPECT_EQ(ends, (std::vector<std::int64_t>{130, 160}));
}

TEST(Interrupt, PutsOffPostedReceivesThatAreStillToCome) {
  Engine engine({});
  Part part(engine);
  Thread* victim = nullptr;
  Mark before;
  Mark after;
  part.at(Time::ps(100), [&] { victim->serve(*victim->service_start(), Time::ps(30)); });
  test::run_ranks(engine, {[&](Thread& thread) {
                    victim = &thread;
                    thread.rank().set_progress(Progress::interrupt, Time::ps(1));
                    const auto keep = [&](Mark& mark) {
                      mark.at = thread.clock();
                      mark.order = thread.reserve_act();
                      thread.keep(mark);
                    };
                    thread.charge(Time::ps(90));
                    keep(before);
                    thread.charge(Time::ps(20));
                    keep(after);
                    thread.settle();
                    EXPECT_EQ(before.at, Time::ps(90));
                    EXPECT_EQ(after.at, Time::ps(140));
                  }});
}

// By the system, of a thread whose library polls.
TEST(Interruption, PutsOffWhatAThreadDoesAndItsActs) {
  Engine engine({});
  Notes notes(engine);
  Part part(engine);
  Thread* victim = nullptr;
  part.at(Time::ps(100), [&] { EXPECT_EQ(victim->interrupt(Time::ps(30)), Time::ps(100)); });
  part.at(Time::ps(110), [&] { EXPECT_EQ(victim->interrupt(Time::ps(30)), Time::ps(130)) << "after the other"; });
  test::run_ranks(engine, {[&](Thread& thread) {
                    victim = &thread;
                    thread.rank().set_progress(Progress::polling, Time::ps(10));
                    thread.rank().set_may_be_interrupted();
                    thread.charge(Time::ps(90));
                    thread.act(notes, 1);
                    thread.charge(Time::ps(60));
                    thread.act(notes, 2);
                    EXPECT_FALSE(thread.clock_is_certain());
                    thread.settle();
                    EXPECT_EQ(thread.clock(), Time::ps(210));
                    EXPECT_TRUE(thread.clock_is_certain());
                  }});
  EXPECT_EQ(notes.seen, (Seen{{90, 1}, {210, 2}}));
}

TEST(Interruption, LeavesAThreadIdleThatWaits) {
  Engine engine({});
  Part part(engine);
  Thread* victim = nullptr;
  Completion event;
  part.at(Time::ps(50), [&] { EXPECT_FALSE(victim->is_idle()) << "it computes until 80"; });
  part.at(Time::ps(100), [&] {
    EXPECT_TRUE(victim->is_idle());
    victim->interrupt(Time::ps(30));
    EXPECT_TRUE(victim->is_idle());
  });
  part.at(Time::ps(110), [&] { event.complete(engine.now()); });
  test::run_ranks(engine, {[&](Thread& thread) {
                    victim = &thread;
                    thread.rank().set_may_be_interrupted();
                    thread.charge(Time::ps(80));
                    Gate gate(thread);
                    gate.add(event);
                    gate.pass(NoWait());
                    EXPECT_EQ(thread.clock(), Time::ps(130)) << "only what the interruption overlaps";
                  }});
}

TEST(Interruption, WaitsForWorkThatThePollIsAt) {
  Engine engine({});
  Part part(engine);
  Thread* victim = nullptr;
  part.at(Time::ps(100), [&] { EXPECT_EQ(victim->interrupt(Time::ps(30)), Time::ps(120)); });
  test::run_ranks(engine, {[&](Thread& thread) {
                    victim = &thread;
                    thread.rank().set_progress(Progress::polling, Time::ps(10));
                    thread.rank().set_may_be_interrupted();
                    thread.charge(Time::ps(90));
                    thread.settle();
                    thread.leave_poll_instant();
                    thread.work_in_poll_until(thread.clock() + Time::ps(30));
                    thread.settle();
                    EXPECT_EQ(thread.clock(), Time::ps(150));
                  }});
}

TEST(Polling, WorksOnAnArrivalAtTheNextPollInstant) {
  Engine engine({});
  Part part(engine);
  Thread* poller = nullptr;
  std::int64_t start = 0;
  part.at(Time::ps(100), [&] {
    start = poller->service_start()->in_ps();
    poller->serve(Time::ps(start), Time::ps(30));
  });
  test::run_ranks(engine, {[&](Thread& thread) {
                    poller = &thread;
                    thread.rank().set_progress(Progress::polling, Time::ps(10));
                    thread.charge(Time::ps(80));
                    thread.leave_poll_instant();
                    thread.charge(Time::ps(80));
                    thread.leave_poll_instant();
                    EXPECT_FALSE(thread.clock_is_certain());
                    thread.charge(Time::ps(40));
                    thread.settle();
                    EXPECT_EQ(thread.clock(), Time::ps(230));
                    EXPECT_TRUE(thread.clock_is_certain());
                  }});
  EXPECT_EQ(start, 160);
}

TEST(Polling, HasNoInstantForAThreadThatMakesNoCall) {
  Engine engine({});
  Part part(engine);
  Thread* poller = nullptr;
  bool deferred = false;
  part.at(Time::ps(100), [&] { deferred = !poller->service_start().has_value(); });
  test::run_ranks(engine, {[&](Thread& thread) {
                    poller = &thread;
                    thread.rank().set_progress(Progress::polling, Time::ps(10));
                    thread.charge(Time::ps(500));
                    thread.settle();
                  }});
  EXPECT_TRUE(deferred);
}

TEST(Polling, ABlockingWaitPollsOncePerPeriod) {
  Engine engine({});
  Part part(engine);
  Thread* poller = nullptr;
  Completion completion;
  part.at(Time::ps(104), [&] { completion.complete(poller->serve(*poller->service_start(), Time::ps(7))); });
  test::run_ranks(engine, {[&](Thread& thread) {
                    poller = &thread;
                    thread.rank().set_progress(Progress::polling, Time::ps(10));
                    thread.charge(Time::ps(2));
                    thread.settle();
                    Gate gate(thread);
                    gate.add(completion);
                    gate.pass(NoWait());
                    EXPECT_EQ(thread.clock(), Time::ps(119));  // polls at 2, 12, ... 112, and works for 7
                  }});
}

}  // namespace
}  // namespace hindcast
