// What a recorder was told comes out as it finally was, in an order of its own.
#include "traces/stream.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/parts.hpp"
#include "tests/support/ranks.hpp"
#include "traces/step_counts.hpp"

namespace hindcast::traces {
namespace {

const StepKind first{"first", "a.first"};
const StepKind second{"second", "a.second"};
const StepKind third{"third", ""};
const StepKind service{"service", ""};
const StepKind wire_with_key{"wire", "a.wire"};

class Lines final : public Sink {
 public:
  void add(const RecordedStep& step) override {
    lines.push_back(fmt::format("{} {} {}-{}{}", step.kind->name, step.place.number, step.begin.in_ps(),
                                step.end.in_ps(), step.continues ? " goes on" : ""));
  }
  std::vector<std::string> lines;
};

void serve(Thread& thread, Time cost, MessageId message = 0) {
  const Time start = *thread.service_start();
  thread.serve(start, cost);
  thread.record_service(service, start, cost, message);
}

using Expected = std::vector<std::string>;

// Ahead of the clock or in lockstep, and however often the stream looks what it can hand on.
class StreamInAnyWay : public testing::TestWithParam<std::tuple<bool, std::size_t>> {
 protected:
  StreamInAnyWay() : engine(options()), stream(engine, lines, std::get<1>(GetParam())), part(engine) {
    engine.set_recorder(&stream);
  }
  static EngineOptions options() {
    EngineOptions options;
    options.lockstep = std::get<0>(GetParam());
    return options;
  }

  Lines lines;
  Engine engine;
  Stream stream;
  test::Part part;
};

TEST_P(StreamInAnyWay, AnInterruptCutsTheStepUnderWayAndPutsOffLaterOnes) {
  Thread* victim = nullptr;
  part.at(Time::ps(100), [&] { serve(*victim, Time::ps(30)); });
  part.at(Time::ps(110), [&] { serve(*victim, Time::ps(5)); });
  test::run_ranks(engine, {[&](Thread& thread) {
                    victim = &thread;
                    thread.rank().set_progress(Progress::interrupt, Time::ps(1));
                    thread.spend(first, Time::ps(90));
                    thread.spend(second, Time::ps(60));
                    thread.spend(third, Time::ps(10));
                    thread.settle();
                    EXPECT_EQ(thread.clock(), Time::ps(195));
                  }});
  stream.finish();
  EXPECT_EQ(lines.lines, (Expected{"first 0 0-90", "second 0 90-100", "service 0 100-130", "service 0 130-135",
                                   "second 0 135-185 goes on", "third 0 185-195"}));
}

// Ahead of the clock the instant of the poll is there before the arrival, in lockstep the arrival before the poll.
TEST_P(StreamInAnyWay, WorkInAPollPutsOffWhatComesAfterIt) {
  Thread* poller = nullptr;
  bool is_deferred = false;
  part.at(Time::ps(50), [&] {
    is_deferred = !poller->service_start().has_value();
    if (!is_deferred) serve(*poller, Time::ps(30));
  });
  test::run_ranks(engine, {[&](Thread& thread) {
                    poller = &thread;
                    thread.rank().set_progress(Progress::polling, Time::ps(10));
                    thread.spend(first, Time::ps(80));
                    thread.leave_poll_instant();
                    if (is_deferred) {
                      thread.record_service(service, thread.clock(), Time::ps(30), 0);
                      thread.work_in_poll_until(thread.clock() + Time::ps(30));
                    }
                    thread.spend(second, Time::ps(80));
                    thread.settle();
                    EXPECT_EQ(thread.clock(), Time::ps(190));
                  }});
  stream.finish();
  EXPECT_EQ(is_deferred, std::get<0>(GetParam()));
  EXPECT_EQ(lines.lines, (Expected{"first 0 0-80", "service 0 80-110", "second 0 110-190"}));
}

TEST_P(StreamInAnyWay, AWaitEndsWhereWorkBeginsAndGoesOnAfterIt) {
  Thread* waiter = nullptr;
  part.at(Time::ps(100), [&] { serve(*waiter, Time::ps(30)); });
  part.at(Time::ps(200), [&] { waiter->wake(message_id(3, 1)); });
  test::run_ranks(engine, {[&](Thread& thread) {
                    waiter = &thread;
                    thread.rank().set_progress(Progress::interrupt, Time::ps(1));
                    thread.spend(first, Time::ps(40));
                    thread.wait(test::NoWait());
                    thread.spend(second, Time::ps(9));
                  }});
  stream.finish();
  EXPECT_EQ(lines.lines,
            (Expected{"first 0 0-40", "wait 0 40-100", "service 0 100-130", "wait 0 130-201", "second 0 201-210"}));
}

TEST_P(StreamInAnyWay, TheOrderIsThatOfEndsAndThenOfPlaces) {
  part.at(Time::ps(10), [&] {
    engine.recorder()->in_hardware(1, Step{&wire_with_key, 0, Time::ps(10), Time::ps(500), 7});
  });
  part.at(Time::ps(20), [&] {
    engine.recorder()->in_hardware(0, Step{&wire_with_key, 0, Time::ps(20), Time::ps(50), 7});
  });
  const auto body = [](Thread& thread) {
    thread.spend(first, Time::ps(50));
    thread.spend(second, Time::ps(450));
  };
  test::run_ranks(engine, {body, body});
  stream.finish();
  EXPECT_EQ(lines.lines, (Expected{"first 0 0-50", "first 1 0-50", "wire 0 20-50", "second 0 50-500", "second 1 50-500",
                                   "wire 1 10-500"}));
}

INSTANTIATE_TEST_SUITE_P(Ways, StreamInAnyWay, testing::Combine(testing::Bool(), testing::Values(1, 4096)));

TEST(StepCounts, CountAnInterruptedStepOnceAndPutHardwareToTheRankOfItsNode) {
  StepCounts counts({-1, 4});
  counts.add({&first, {Place::Kind::thread, 4, 0}, 0, Time::ps(0), Time::ps(10), 100});
  counts.add({&first, {Place::Kind::thread, 4, 0}, 0, Time::ps(20), Time::ps(25), 0, -1, false, true});
  counts.add({&wire_with_key, {Place::Kind::node, 1, 0}, 0, Time::ps(0), Time::ps(3), 5});
  counts.add({&wire_with_key, {Place::Kind::node, 0, 0}, 0, Time::ps(0), Time::ps(3), 5});
  const auto rows = counts.rows();
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].name, "first");
  EXPECT_EQ(rows[0].rank, 4);
  EXPECT_EQ(rows[0].count, 1U);
  EXPECT_EQ(rows[0].time, Time::ps(15));
  EXPECT_EQ(rows[0].amount, 100U);
  EXPECT_EQ(rows[1].rank, StepCounts::no_rank);
  EXPECT_EQ(rows[2].rank, 4);
  EXPECT_EQ(rows[2].parameter, "a.wire");
}

}  // namespace
}  // namespace hindcast::traces
