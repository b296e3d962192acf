#include "simulator/engine/report.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <iostream>

#include "simulator/engine/completion.hpp"
#include "tests/support/ranks.hpp"

namespace hindcast {
namespace {

class WaitFor final : public Wait {
 public:
  WaitFor(int rank) : rank_(rank) {}
  BlockedOn describe() const override {
    return {"MPI_Recv", "from rank " + std::to_string(rank_) + ", tag 7,", {rank_}};
  }

 private:
  int rank_;
};

// What a user sees: the report, and the run is over.
std::function<void(Ending)> reporting(Engine& engine) {
  return [&engine](Ending ending) {
    std::cerr << report_of(engine, ending) << std::endl;
    _exit(9);
  };
}

// The same ahead of the clock and in lockstep.
class ReportDeathTest : public testing::TestWithParam<bool> {
 protected:
  static EngineOptions options(Time max_time = Time::never()) {
    EngineOptions options;
    options.lockstep = GetParam();
    options.max_time = max_time;
    return options;
  }
};
INSTANTIATE_TEST_SUITE_P(AheadAndInLockstep, ReportDeathTest, testing::Bool());

void run_cycle(const EngineOptions& options) {
  Engine engine(options);
  const auto wait_for = [](int rank, int ps) {
    return [=](Thread& thread) {
      thread.charge(Time::ps(ps));
      const WaitFor why(rank);
      for (;;) thread.wait(why);
    };
  };
  test::run_ranks(engine, {wait_for(2, 1000), wait_for(3, 2000), wait_for(1, 3000), wait_for(1, 0), [](Thread&) {}},
                  reporting(engine));
}

// Threads that are ahead have begun to wait after the engine's now: the report has one clock.
// Before it a build with sanitizers may have a line of its own.
TEST_P(ReportDeathTest, TellsADeadlockRankByRankWithItsCycle) {
  EXPECT_EXIT(run_cycle(options()), testing::ExitedWithCode(9),
              "(^|\n)deadlock at 3 ns: 4 of 5 ranks wait for what can never come\n"
              "  rank 0: waits in MPI_Recv from rank 2, tag 7, since 1 ns\n"
              "  rank 1: waits in MPI_Recv from rank 3, tag 7, since 2 ns\n"
              "  rank 2: waits in MPI_Recv from rank 1, tag 7, since 3 ns\n"
              "  rank 3: waits in MPI_Recv from rank 1, tag 7, since 0 ns\n"
              "  1 ranks have ended\n"
              "  the cycle: rank 1 waits for rank 3 waits for rank 1\n$");
}

// Looks again every 100 ns: the last time at the limit, and the next would be past it.
void run_polling(const EngineOptions& options) {
  Engine engine(options);
  test::run_ranks(engine,
                  {[](Thread& thread) {
                     const WaitFor why(1);
                     for (;;) {
                       thread.charge(Time::ns(100), &why);
                       thread.settle(&why);
                     }
                   },
                   [](Thread&) {}},
                  reporting(engine));
}

TEST_P(ReportDeathTest, PointsOutThatPollingIsAllThatCouldHappen) {
  EXPECT_EXIT(run_polling(options(Time::us(10))), testing::ExitedWithCode(9),
              "(^|\n)the time limit of 10 us is reached with 1 of 2 ranks still running\n"
              "  nothing has happened since 0 ns but ranks looking again for what has not come, and nothing else is "
              "pending\n"
              "  rank 0: polls in MPI_Recv from rank 1, tag 7, last at 10.1 us\n"
              "  1 ranks have ended\n$");
}

// Says something every 3 us, as a program's line of output would be seen.
class Saying final : public EventSink {
 public:
  explicit Saying(Engine& engine) : engine_(engine) {}
  void fire(const Event&) override { std::cerr << "said at " << to_text(engine_.now()) << std::endl; }

 private:
  Engine& engine_;
};

// Two ranks wait for each other, and the third, which could end that, has not come to it by the limit.
void run_cycle_that_may_end(const EngineOptions& options) {
  Engine engine(options);
  const auto wait_for = [](int rank) {
    return [=](Thread& thread) {
      const WaitFor why(rank);
      for (;;) thread.wait(why);
    };
  };
  Saying saying(engine);
  test::run_ranks(engine,
                  {wait_for(1), wait_for(0),
                   [&](Thread& thread) {
                     for (;;) {
                       thread.charge(Time::us(3));
                       thread.act(saying, 0);
                     }
                   }},
                  reporting(engine));
}

TEST_P(ReportDeathTest, DoesNotTakeACycleForADeadlockWhileSomethingHappens) {
  EXPECT_EXIT(
      run_cycle_that_may_end(options(Time::us(9))), testing::ExitedWithCode(9),
      "the time limit of 9 us is reached with 3 of 3 ranks still running\n"
      "(.*\n)*"
      "  a cycle at this moment, unless what is waited for is on its way: rank 0 waits for rank 1 waits for rank 0\n$");
}

void run_endless_charges(const EngineOptions& options) {
  Engine engine(options);
  Saying saying(engine);
  test::run_ranks(engine, {[&](Thread& thread) {
                    for (;;) {
                      thread.charge(Time::us(3));
                      thread.act(saying, 0);
                    }
                  }},
                  reporting(engine));
}

TEST_P(ReportDeathTest, EndsAThreadThatComputesForEverAtTheLimitAndNotBefore) {
  EXPECT_EXIT(run_endless_charges(options(Time::us(9))), testing::ExitedWithCode(9),
              "^said at 3 us\n"
              "said at 6 us\n"
              "said at 9 us\n"
              "the time limit of 9 us is reached with 1 of 1 ranks still running\n"
              ".*rank 0: computes, at 12 us\n$");
}

TEST(ToText, ChoosesAUnitForPeople) {
  EXPECT_EQ(to_text(Time::ps(1500)), "1.5 ns");
  EXPECT_EQ(to_text(Time::us(12) + Time::ns(345)), "12.345 us");
  EXPECT_EQ(to_text(Time::us(2'000'000)), "2 s");
}

}  // namespace
}  // namespace hindcast
