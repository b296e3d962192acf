// An errand comes to the same, whether its thread goes on with it on its stack or off it.
#include "simulator/engine/thread/errand.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/parts.hpp"
#include "tests/support/ranks.hpp"

namespace hindcast {
namespace {

using test::Notes;
using test::NoWait;
using test::Part;
using test::Seen;

class Doer {
 public:
  explicit Doer(Notes& notes) : notes_(notes) {}

  Errand act_in_a_while() {
    act();
    co_await settled();
    is_off_stack_ = Thread::current()->is_off_stack();
    EXPECT_EQ(Thread::current()->clock(), Thread::current()->engine().now());
    for (; wakings_ > 0; --wakings_) {
      co_await woken(NoWait());
      co_await then_act();
    }
  }
  Errand nothing() { return {}; }
  Errand fail_once_woken() {
    co_await woken(NoWait());
    throw std::runtime_error("as it should");
  }
  Errand outlive_a_failure() {
    try {
      co_await fail_once_woken();
    } catch (const std::runtime_error& error) {
      failure_ = error.what();
    }
    act();
  }
  Errand act_too_often() {
    co_await woken(NoWait());
    for (int i = 0; i < 40; ++i) act();
    EXPECT_TRUE(Thread::current()->has_too_many_acts());
    co_await woken(NoWait());
    EXPECT_EQ(notes_.seen.size(), 40U);
  }

  bool is_off_stack() const { return is_off_stack_; }
  const std::string& failure() const { return failure_; }
  void wait_for(int wakings) { wakings_ = wakings; }

 private:
  Errand then_act() {
    act();
    co_await nothing();
    act();
  }
  void act() {
    Thread::current()->charge(Time::ps(10));
    Thread::current()->act(notes_, 1);
  }

  Notes& notes_;
  int wakings_ = 2;
  bool is_off_stack_ = false;
  std::string failure_;
};

// Wakes the only rank's thread at these times, and says when that has gone on.
template <class Go>
Time carried_out(const EngineOptions& options, const std::vector<int>& wakings, Seen& seen, Go&& go) {
  Engine engine(options);
  Notes notes(engine);
  Part part(engine);
  Thread* waiting = nullptr;
  for (const int at : wakings) part.at(Time::ps(at), [&] { waiting->wake(); });
  Time end;
  test::run_ranks(engine, {[&](Thread& thread) {
                    waiting = &thread;
                    Doer doer(notes);
                    go(doer);
                    EXPECT_FALSE(thread.is_off_stack());
                    EXPECT_FALSE(thread.has_continuation());
                    end = thread.clock();
                  }});
  seen = notes.seen;
  return end;
}

void expect_times_of_a_function(const EngineOptions& options, bool is_off_stack) {
  Seen seen;
  const Time end = carried_out(options, {100, 200}, seen, [&](Doer& doer) {
    carry_out(doer.act_in_a_while());
    EXPECT_EQ(doer.is_off_stack(), is_off_stack);
  });
  EXPECT_EQ(seen, (Seen{{10, 1}, {111, 1}, {121, 1}, {211, 1}, {221, 1}}));
  EXPECT_EQ(end, Time::ps(221));
}

TEST(Errand, ActsAtTheTimesAtWhichAFunctionWould) { expect_times_of_a_function({}, true); }

TEST(Errand, ActsAtTheSameTimesOnTheStackInLockstep) {
  EngineOptions options;
  options.lockstep = true;
  expect_times_of_a_function(options, false);
}

// It is woken again when it has begun to wait.
TEST(Errand, IsNotWokenWhileItSettles) {
  Seen seen;
  const Time end = carried_out({}, {5, 100}, seen, [](Doer& doer) {
    doer.wait_for(1);
    carry_out(doer.act_in_a_while());
  });
  EXPECT_EQ(end, Time::ps(121));
}

TEST(Errand, StaysOnTheStackIfItShould) {
  Seen seen;
  carried_out({}, {100, 200}, seen, [](Doer& doer) {
    carry_out(doer.act_in_a_while(), true);
    EXPECT_FALSE(doer.is_off_stack());
  });
  EXPECT_EQ(seen.size(), 5U);
}

TEST(Errand, OfNothingIsOver) {
  Seen seen;
  const Time end = carried_out({}, {}, seen, [](Doer& doer) {
    EXPECT_TRUE(doer.nothing().is_over());
    carry_out(doer.nothing());
  });
  EXPECT_EQ(end, Time());
}

TEST(Errand, ThrowsWhereItIsWaitedFor) {
  Seen seen;
  carried_out({}, {100}, seen, [](Doer& doer) {
    carry_out(doer.outlive_a_failure());
    EXPECT_EQ(doer.failure(), "as it should");
  });
  EXPECT_EQ(seen, (Seen{{111, 1}}));
}

TEST(Errand, ThrowsWhereItIsCarriedOut) {
  Seen seen;
  carried_out({}, {100}, seen, [](Doer& doer) { EXPECT_THROW(carry_out(doer.fail_once_woken()), std::runtime_error); });
}

TEST(Errand, DoesNotGiveWayForManyActs) {
  Seen seen;
  carried_out({}, {100, 1000}, seen, [](Doer& doer) { carry_out(doer.act_too_often()); });
  EXPECT_EQ(seen.size(), 40U);
}

}  // namespace
}  // namespace hindcast
