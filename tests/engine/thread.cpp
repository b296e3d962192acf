// The clock rule, one sentence at a time.
#include "simulator/engine/thread.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cfenv>
#include <limits>
#include <utility>
#include <vector>

#include "simulator/engine/completion.hpp"
#include "tests/support/ranks.hpp"

namespace hindcast {
namespace {

using test::NoWait;

// Notes what fires, and when.
class Notes final : public EventSink {
 public:
  explicit Notes(Engine& engine) : engine_(engine) {}
  void fire(const Event& event) override { seen.emplace_back(engine_.now().in_ps(), event.data); }
  std::vector<std::pair<std::int64_t, std::uint64_t>> seen;

 private:
  Engine& engine_;
};

// A part that completes something when its event fires, or works on a thread.
class Part final : public EventSink {
 public:
  Part(Engine& engine) : engine_(engine), owner_(engine.new_owner()) {}
  void at(Time time, std::function<void()> what) {
    handlers_.push_back(std::move(what));
    engine_.at(time, EventKind::hardware, owner_, *this, handlers_.size() - 1);
  }
  void fire(const Event& event) override { handlers_[event.data](); }

 private:
  Engine& engine_;
  EventOwner owner_;
  std::vector<std::function<void()>> handlers_;
};

using Seen = std::vector<std::pair<std::int64_t, std::uint64_t>>;

TEST(Thread, ChargesWithoutGivingWayAndActsAtItsOwnTime) {
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

TEST(Thread, InLockstepPaysEachChargeAtOnce) {
  EngineOptions options;
  options.lockstep = true;
  Engine engine(options);
  test::run_ranks(engine, {[&](Thread& thread) {
                    thread.charge(Time::ps(100));
                    EXPECT_EQ(engine.now(), Time::ps(100));
                  }});
}

TEST(Thread, ActsOfSeveralThreadsComeInTheOrderOfTheirTimes) {
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

TEST(Thread, GivesWayWhenManyActsHaveNotFired) {
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

TEST(Thread, FiresQuietActsThatAreDueWhenAsked) {
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

TEST(Thread, FiresQuietActsAtTheirTimeOnceTheyAreHeard) {
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

TEST(Thread, InterruptionsPutOffQuietActsThatAreNotDue) {
  Engine engine({});
  Notes notes(engine);
  Part part(engine);
  test::run_ranks(engine, {[&](Thread& thread) {
                    thread.set_progress(Progress::interrupt, Time());
                    part.at(Time::ps(15), [&] { thread.serve(*thread.service_start(), Time::ps(100)); });
                    part.at(Time::ps(16), [&] { thread.make_quiet_acts_heard(); });
                    for (std::uint64_t i = 1; i <= 2; ++i) {
                      thread.charge(Time::ps(10));
                      thread.act_quietly(notes, i);
                    }
                  }});
  EXPECT_EQ(notes.seen, (Seen{{16, 1}, {120, 2}}));
}

TEST(Thread, GivesWayWhenItsActsHoldMuchMemory) {
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

// Acts at each of its wakings, up to the last one.
class Steps final : public Continuation {
 public:
  Steps(Thread& thread, Notes& notes, int left) : thread_(thread), notes_(notes), left_(left) {}
  bool go_on() override {
    EXPECT_EQ(Thread::current(), &thread_);
    EXPECT_TRUE(thread_.is_off_stack());
    thread_.charge(Time::ps(10));
    thread_.act(notes_, 7);
    return --left_ > 0;
  }

 private:
  Thread& thread_;
  Notes& notes_;
  int left_;
};

TEST(Continuation, GoesOnAtTheTimesAtWhichTheThreadWould) {
  Engine engine({});
  Notes notes(engine);
  Part part(engine);
  Thread* waiting = nullptr;
  for (const int at : {100, 200, 300}) part.at(Time::ps(at), [&] { waiting->wake(); });
  test::run_ranks(engine, {[&](Thread& thread) {
                    waiting = &thread;
                    ASSERT_TRUE(thread.may_go_on_off_stack());
                    Steps steps(thread, notes, 2);
                    thread.go_on_with(&steps);
                    thread.wait(NoWait());
                    EXPECT_EQ(thread.clock(), Time::ps(211));
                    EXPECT_FALSE(thread.is_off_stack());
                    thread.wait(NoWait());  // without
                    EXPECT_EQ(thread.clock(), Time::ps(301));
                  }});
  EXPECT_EQ(notes.seen, (Seen{{111, 7}, {211, 7}}));
}

// It may have as many acts as it likes, but knows that it should go back.
class ManyActs final : public Continuation {
 public:
  ManyActs(Thread& thread, Notes& notes) : thread_(thread), notes_(notes) {}
  bool go_on() override {
    EXPECT_FALSE(thread_.has_too_many_acts());
    for (std::uint64_t i = 0; i < 40; ++i) {
      thread_.charge(Time::ps(1));
      thread_.act(notes_, i);
    }
    EXPECT_TRUE(notes_.seen.empty());
    EXPECT_TRUE(thread_.has_too_many_acts());
    return false;
  }

 private:
  Thread& thread_;
  Notes& notes_;
};

TEST(Continuation, DoesNotGiveWayForManyActs) {
  Engine engine({});
  Notes notes(engine);
  Part part(engine);
  Thread* waiting = nullptr;
  part.at(Time::ps(100), [&] { waiting->wake(); });
  test::run_ranks(engine, {[&](Thread& thread) {
                    waiting = &thread;
                    ManyActs acts(thread, notes);
                    thread.go_on_with(&acts);
                    thread.wait(NoWait());
                    thread.act(notes, 40);
                    EXPECT_EQ(notes.seen.size(), 41U);
                    EXPECT_EQ(notes.seen.back().first, 141);
                  }});
}

// Multiplies with the rounding, and leaves the flags, of the thread's program.
class Product final : public Continuation {
 public:
  explicit Product(Thread& thread) : thread_(thread) {}
  bool go_on() override {
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    thread_.take_up_arithmetic();
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
    volatile double product = std::numeric_limits<double>::max();
    product = product * 2;
    thread_.put_down_arithmetic();
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    EXPECT_EQ(std::fetestexcept(FE_OVERFLOW), 0);
    return false;
  }

 private:
  Thread& thread_;
};

TEST(Continuation, ComputesAsTheProgramDoes) {
  Engine engine({});
  Part part(engine);
  Thread* waiting = nullptr;
  part.at(Time::ps(100), [&] { waiting->wake(); });
  test::run_ranks(engine, {[&](Thread& thread) {
                    waiting = &thread;
                    std::fesetround(FE_UPWARD);
                    Product product(thread);
                    thread.go_on_with(&product);
                    thread.wait(NoWait());
                    EXPECT_EQ(std::fegetround(), FE_UPWARD);
                    EXPECT_NE(std::fetestexcept(FE_OVERFLOW), 0);
                    std::feclearexcept(FE_ALL_EXCEPT);
                    std::fesetround(FE_TONEAREST);
                  }});
}

TEST(Continuation, IsNotForThreadsThatMayHaveToGiveWay) {
  EngineOptions options;
  options.lockstep = true;
  Engine engine(options);
  test::run_ranks(engine, {[&](Thread& thread) { EXPECT_FALSE(thread.may_go_on_off_stack()); }});
}

TEST(Continuation, IsNotForThreadsThatAreInterrupted) {
  Engine engine({});
  test::run_ranks(engine, {[&](Thread& thread) {
                    thread.set_progress(Progress::polling, Time::ps(100));
                    EXPECT_FALSE(thread.may_go_on_off_stack());
                  }});
}

TEST(Gate, WakesOnceForAllThatItWaitsFor) {
  Engine engine({});
  Part part(engine);
  Completion three[3];
  for (int i = 0; i < 3; ++i)
    part.at(Time::ps(100 * (i + 1)), [&three, i, &engine] { three[i].complete(engine.now()); });
  test::run_ranks(engine, {[&](Thread& thread) {
                    Gate gate(thread);
                    for (Completion& each : three) gate.add(each);
                    gate.pass(NoWait());
                    EXPECT_EQ(engine.now(), Time::ps(300));
                  }});
}

TEST(Gate, OpensAtTheFirstIfAskedTo) {
  Engine engine({});
  Part part(engine);
  Completion two[2];
  part.at(Time::ps(100), [&] { two[1].complete(engine.now()); });
  part.at(Time::ps(200), [&] { two[0].complete(engine.now()); });
  test::run_ranks(engine, {[&](Thread& thread) {
                    Gate gate(thread);
                    gate.open_at_first();
                    for (Completion& each : two) gate.add(each);
                    gate.pass(NoWait());
                    EXPECT_EQ(engine.now(), Time::ps(100));
                    EXPECT_TRUE(two[1].is_known());
                    Gate::forget(two[0]);
                  }});
}

TEST(Interrupt, PutsOffAThreadThatComputesAndItsLaterActs) {
  Engine engine({});
  Notes notes(engine);
  Part part(engine);
  Thread* victim = nullptr;
  part.at(Time::ps(100), [&] { EXPECT_EQ(victim->serve(*victim->service_start(), Time::ps(30)), Time::ps(130)); });
  test::run_ranks(engine, {[&](Thread& thread) {
                    victim = &thread;
                    thread.set_progress(Progress::interrupt, Time::ps(1));
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
                    thread.set_progress(Progress::interrupt, Time::ps(1));
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
                    thread.set_progress(Progress::interrupt, Time::ps(1));
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
                    thread.set_progress(Progress::interrupt, Time::ps(1));
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
                    thread.set_progress(Progress::polling, Time::ps(10));
                    thread.set_may_be_interrupted();
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
                    thread.set_may_be_interrupted();
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
                    thread.set_progress(Progress::polling, Time::ps(10));
                    thread.set_may_be_interrupted();
                    thread.charge(Time::ps(90));
                    thread.settle();
                    thread.leave_poll_instant();
                    thread.work_in_poll(Time::ps(30));
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
                    thread.set_progress(Progress::polling, Time::ps(10));
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
                    thread.set_progress(Progress::polling, Time::ps(10));
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
                    thread.set_progress(Progress::polling, Time::ps(10));
                    thread.charge(Time::ps(2));
                    thread.settle();
                    Gate gate(thread);
                    gate.add(completion);
                    gate.pass(NoWait());
                    EXPECT_EQ(thread.clock(), Time::ps(119));  // polls at 2, 12, ... 112, and works for 7
                  }});
}

TEST(Switch, KeepsErrnoRoundingAndExceptionsToEachThread) {
  Engine engine({});
  const auto body = [](int error, int rounding, int thrown) {
    return [=](Thread& thread) {
      errno = error;
      std::fesetround(rounding);
      try {
        throw thrown;
      } catch (int caught) {
        for (int i = 0; i < 3; ++i) {
          thread.charge(Time::ps(10));
          thread.settle();
        }
        EXPECT_EQ(errno, error);
        EXPECT_EQ(std::fegetround(), rounding);
        EXPECT_EQ(caught, thrown);
        EXPECT_THROW(throw, int);
        try {
          throw;
        } catch (int again) {
          EXPECT_EQ(again, thrown);
        }
      }
    };
  };
  test::run_ranks(engine, {body(ENOENT, FE_UPWARD, 1), body(EINTR, FE_TOWARDZERO, 2), body(0, FE_TONEAREST, 3)});
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
