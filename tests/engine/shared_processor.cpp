// Threads that take turns on one processor, or on several that are fewer than they.
#include "simulator/engine/thread/shared_processor.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "tests/support/ranks.hpp"

namespace hindcast {
namespace {

using test::NoWait;
using Ends = std::vector<std::pair<int, std::int64_t>>;

const FixedStep switching{{"task switch", ""}, Time::ps(5)};

// What several ranks do on one processor, or more, with slices of 100 ps, each told where to note its end.
class SharedProcessors : public ::testing::Test {
 protected:
  void run(const std::vector<std::function<void(Thread&)>>& bodies) {
    std::vector<std::function<void(Thread&)>> started;
    for (const auto& body : bodies)
      started.emplace_back([this, body](Thread& thread) {
        body(thread);
        ends_.emplace_back(thread.rank().id, thread.clock().in_ps());
      });
    test::make_nodes(static_cast<int>(bodies.size()));
    shared_.emplace(engine_, processors, Time::ps(100), switching);
    for (std::size_t i = 0; i < started.size(); ++i) {
      Rank& rank = engine_.add_rank("h" + std::to_string(i));
      shared_->add(engine_.start_thread(rank, [&body = started[i]] { body(*Thread::current()); }));
    }
    engine_.run(test::must_not_end_early);
  }

  int processors = 1;
  Engine engine_{{}};
  std::optional<SharedProcessor> shared_;
  Ends ends_;
};

void work(Thread& thread, int ps) { thread.charge(Time::ps(ps)); }

TEST_F(SharedProcessors, OneThreadHasItWithoutSwitching) {
  run({[](Thread& thread) { work(thread, 250); }});
  EXPECT_EQ(ends_, (Ends{{0, 250}}));
}

TEST_F(SharedProcessors, TurnsGoRoundBySlices) {
  // 0: 0-100, 1: 105-205, 0: 210-260, 1: 265-365.
  run({[](Thread& thread) { work(thread, 150); }, [](Thread& thread) { work(thread, 200); }});
  EXPECT_EQ(ends_, (Ends{{0, 260}, {1, 365}}));
}

TEST_F(SharedProcessors, ShortWorkIsServedInTheOrderAskedFor) {
  run({[](Thread& thread) { work(thread, 40); }, [](Thread& thread) { work(thread, 40); },
       [](Thread& thread) { work(thread, 40); }});
  EXPECT_EQ(ends_, (Ends{{0, 40}, {1, 85}, {2, 130}}));
}

TEST_F(SharedProcessors, WhoWaitsLeavesItToOthers) {
  run({[](Thread& thread) {
         thread.spend_idly(step_wait, Time::ps(1000));
         work(thread, 10);
       },
       [](Thread& thread) { work(thread, 300); }});
  EXPECT_EQ(ends_, (Ends{{1, 300}, {0, 1015}}));
}

TEST_F(SharedProcessors, WhatNeedsNoTimeNeedsNoTurn) {
  run({[](Thread& thread) { work(thread, 90); }, [](Thread& thread) { work(thread, 0); }});
  EXPECT_EQ(ends_, (Ends{{1, 0}, {0, 90}}));
}

class Interruption final : public EventSink {
 public:
  Interruption(Engine& engine, Time at) : owner_(engine.new_owner()) {
    engine.at(at, EventKind::hardware, owner_, *this, 0);
  }
  void fire(const Event&) override { began = whom->interrupt(Time::ps(30)); }
  Thread* whom = nullptr;
  Time began;

 private:
  EventOwner owner_;
};

TEST_F(SharedProcessors, TheSystemsWorkPutsOffEveryTurn) {
  Interruption interruption(engine_, Time::ps(50));
  run({[&](Thread& thread) {
         interruption.whom = &thread;
         work(thread, 80);
       },
       [](Thread& thread) { work(thread, 20); }});
  EXPECT_EQ(interruption.began, Time::ps(50));
  EXPECT_EQ(ends_, (Ends{{0, 110}, {1, 135}}));
}

TEST_F(SharedProcessors, TheSystemsWorkForOneThatWaitsTakesItFromTheOthers) {
  Interruption interruption(engine_, Time::ps(50));
  run({[&](Thread& thread) {
         interruption.whom = &thread;
         thread.spend_idly(step_wait, Time::ps(500));
       },
       [](Thread& thread) { work(thread, 80); }});
  EXPECT_EQ(ends_, (Ends{{1, 110}, {0, 530}}));
}

TEST_F(SharedProcessors, AThirdThreadTakesTheProcessorThatIsFreeFirst) {
  processors = 2;
  // On one 0: 0-100, 2: 105-255; on the other 1: 0-100, 0: 105-155, 1: 160-210.
  const auto body = [](Thread& thread) { work(thread, 150); };
  run({body, body, body});
  EXPECT_EQ(ends_, (Ends{{0, 155}, {1, 210}, {2, 255}}));
}

TEST_F(SharedProcessors, AsManyAsThreadsNeedNoSwitching) {
  processors = 3;
  const auto body = [](Thread& thread) { work(thread, 150); };
  run({body, body, body});
  EXPECT_EQ(ends_, (Ends{{0, 150}, {1, 150}, {2, 150}}));
}

TEST_F(SharedProcessors, AThreadGoesBackToTheProcessorThatItHad) {
  processors = 2;
  const auto body = [](Thread& thread) {
    work(thread, 50);
    thread.spend_idly(step_wait, Time::ps(1000));
    work(thread, 50);
  };
  run({body, body});
  EXPECT_EQ(ends_, (Ends{{0, 1100}, {1, 1100}}));
}

TEST_F(SharedProcessors, TheSystemsWorkPutsOffTurnsOfItsProcessorAlone) {
  processors = 2;
  Interruption interruption(engine_, Time::ps(50));
  run({[](Thread& thread) { work(thread, 80); },
       [&](Thread& thread) {
         interruption.whom = &thread;
         work(thread, 80);
       },
       [](Thread& thread) { work(thread, 20); }});  // behind the first
  EXPECT_EQ(interruption.began, Time::ps(50));
  EXPECT_EQ(ends_, (Ends{{0, 80}, {2, 105}, {1, 110}}));
}

TEST_F(SharedProcessors, TheSystemsWorkForOneThatWaitsTakesTheProcessorThatIsFreeFirst) {
  processors = 2;
  Interruption interruption(engine_, Time::ps(50));
  run({[](Thread& thread) { work(thread, 90); }, [](Thread& thread) { work(thread, 80); },
       [&](Thread& thread) {
         interruption.whom = &thread;
         thread.spend_idly(step_wait, Time::ps(500));
       }});
  EXPECT_EQ(ends_, (Ends{{0, 90}, {1, 110}, {2, 530}}));
}

// It is woken meanwhile, and has no turn of its own yet.
TEST_F(SharedProcessors, OneProcessorAtATimeWorksForAThread) {
  processors = 2;
  Interruption first(engine_, Time::ps(50));
  Interruption second(engine_, Time::ps(60));
  run({[](Thread& thread) { work(thread, 90); }, [](Thread& thread) { work(thread, 80); },
       [&](Thread& thread) {
         first.whom = second.whom = &thread;
         thread.spend_idly(step_wait, Time::ps(55));
       }});
  EXPECT_EQ(first.began, Time::ps(50));
  EXPECT_EQ(second.began, Time::ps(80));
  EXPECT_EQ(ends_, (Ends{{0, 90}, {2, 115}, {1, 140}}));
}

// 0: 0-40, its work in the poll 115-135; 1: 45-65 and, behind that work, 140-160.
TEST_F(SharedProcessors, WorkInAPollIsATurn) {
  run({[](Thread& thread) {
         thread.rank().set_progress(Progress::polling, Time::ps(10));
         work(thread, 40);
         thread.leave_poll_instant();
         const Time start = thread.start_of_work_in_poll();
         EXPECT_EQ(start, Time::ps(115));
         thread.work_in_poll_until(start + Time::ps(20));
       },
       [](Thread& thread) { work(thread, 65); }});
  EXPECT_EQ(ends_, (Ends{{1, 110}, {0, 135}}));
}

// The third's interrupt comes between the first's two: 50-80, 80-110, 110-140.
TEST_F(SharedProcessors, OneThatWaitsForItsSecondInterruptGoesOnAfterIt) {
  Interruption first(engine_, Time::ps(50));
  Interruption between(engine_, Time::ps(60));
  Interruption second(engine_, Time::ps(70));
  run({[&](Thread& thread) {
         first.whom = second.whom = &thread;
         thread.spend_idly(step_wait, Time::ps(75));
       },
       [&](Thread& thread) {
         between.whom = &thread;
         thread.spend_idly(step_wait, Time::ps(500));
       }});
  EXPECT_EQ(second.began, Time::ps(110));
  EXPECT_EQ(ends_, (Ends{{0, 140}, {1, 530}}));
}

// The new thread runs at once, 0-50; then, after switching, the one that has started it: 55-206.
TEST_F(SharedProcessors, AThreadThatIsBornTakesTurnsToo) {
  run({[this](Thread& thread) {
    Thread& child = engine_.start_thread(thread.rank(), [this] {
      work(*Thread::current(), 50);
      ends_.emplace_back(1, Thread::current()->clock().in_ps());
    });
    work(thread, 150);
    EXPECT_EQ(child.state(), Thread::State::ended);
    engine_.bury(child);
    work(thread, 1);
  }});
  EXPECT_EQ(ends_, (Ends{{1, 50}, {0, 206}}));
}

}  // namespace
}  // namespace hindcast
