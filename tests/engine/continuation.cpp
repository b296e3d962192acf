// What a thread goes on with off its stack is done at the times at which the thread would do it.
#include "simulator/engine/thread.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <limits>

#include "tests/support/parts.hpp"
#include "tests/support/ranks.hpp"

namespace hindcast {
namespace {

using test::Notes;
using test::NoWait;
using test::Part;
using test::Seen;

// Acts at each of its wakings, up to the last one.
class SeveralActs final : public Continuation {
 public:
  SeveralActs(Thread& thread, Notes& notes, int left) : thread_(thread), notes_(notes), left_(left) {}
  Onward go_on() override {
    EXPECT_EQ(Thread::current(), &thread_);
    EXPECT_TRUE(thread_.is_off_stack());
    thread_.charge(Time::ps(10));
    thread_.act(notes_, 7);
    return --left_ > 0 ? Onward::waits(wait_) : Onward::runs();
  }

 private:
  Thread& thread_;
  Notes& notes_;
  int left_;
  const NoWait wait_;
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
                    SeveralActs acts(thread, notes, 2);
                    thread.go_on_with(&acts);
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
  Onward go_on() override {
    EXPECT_FALSE(thread_.has_too_many_acts());
    for (std::uint64_t i = 0; i < 40; ++i) {
      thread_.charge(Time::ps(1));
      thread_.act(notes_, i);
    }
    EXPECT_TRUE(notes_.seen.empty());
    EXPECT_TRUE(thread_.has_too_many_acts());
    return Onward::runs();
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
  Onward go_on() override {
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    thread_.take_up_arithmetic();
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
    volatile double product = std::numeric_limits<double>::max();
    product = product * 2;
    thread_.put_down_arithmetic();
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
    EXPECT_EQ(std::fetestexcept(FE_OVERFLOW), 0);
    return Onward::runs();
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
                    thread.rank().set_progress(Progress::interrupt, Time());
                    EXPECT_FALSE(thread.may_go_on_off_stack());
                  }});
}

}  // namespace
}  // namespace hindcast
