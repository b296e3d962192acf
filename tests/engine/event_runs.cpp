#include "simulator/engine/events/event_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

namespace hindcast {
namespace {

Event event_at(std::int64_t time, std::uint64_t order = 0) { return {Time::ps(time), order, nullptr, order}; }

std::vector<std::int64_t> times_of_stretch(EventRuns& runs, Event::Place bound, std::size_t most) {
  std::vector<std::int64_t> times;
  runs.take_stretch(bound, most, [&](const Event& event) { times.push_back(event.at.in_ps()); });
  return times;
}

TEST(EventRuns, GiveStretchesOfTheRunThatHasTheEarliest) {
  EventRuns runs;
  for (const std::int64_t time : {10, 20, 5, 30, 6, 40, 7}) ASSERT_TRUE(runs.put(event_at(time)));
  EXPECT_EQ(times_of_stretch(runs, Event::behind_all, 2), (std::vector<std::int64_t>{5, 6}));
  EXPECT_EQ(times_of_stretch(runs, Event::behind_all, 9), (std::vector<std::int64_t>{7}));
  EXPECT_EQ(times_of_stretch(runs, event_at(30).place(), 9), (std::vector<std::int64_t>{10, 20, 30}));
  EXPECT_FALSE(runs.empty());
  EXPECT_EQ(times_of_stretch(runs, Event::behind_all, 9), (std::vector<std::int64_t>{40}));
  EXPECT_TRUE(runs.empty());
}

TEST(EventRuns, RefuseWhatWouldBeginOneTooMany) {
  EventRuns runs;
  std::int64_t time = 1000;
  while (runs.put(event_at(time))) ASSERT_GT(--time, 900);
  EXPECT_FALSE(runs.put(event_at(1)));
  EXPECT_TRUE(runs.put(event_at(time + 1))) << "fits behind one that is as early";
  std::size_t taken = 0;
  runs.take_until(event_at(1000).place(), [&](const Event&) { ++taken; });
  EXPECT_EQ(taken, static_cast<std::size_t>(1000 - time + 1));
  EXPECT_TRUE(runs.empty());
  EXPECT_TRUE(runs.put(event_at(1)));
}

// Delays of a few kinds from a clock that goes on, so that runs grow over many blocks, end and begin.
TEST(EventRuns, GiveAllThatIsPutWhereverItIs) {
  std::mt19937 random(5);
  EventRuns runs;
  std::multiset<Event> plainly;
  std::int64_t now = 0;
  const auto take = [&](const Event& event) {
    ASSERT_EQ(event.place(), plainly.begin()->place());
    now = event.at.in_ps();
    plainly.erase(plainly.begin());
  };
  for (std::uint64_t step = 0; step < 20000; ++step) {
    if (plainly.empty() || random() % 16 < (step / 2000 % 2 == 0 ? 15U : 8U)) {
      const Event event = event_at(now + std::vector<std::int64_t>{0, 3, 500, 2000}[random() % 4], random() % 20);
      for (unsigned times = 1 + random() % 2; times > 0; --times)
        if (runs.put(event)) plainly.insert(event);
    } else if (random() % 2 == 0) {
      runs.take_stretch(Event::behind_all, 1 + random() % 100, take);
    } else {
      const Event bound = event_at(now + 100, 10);
      runs.take_until(bound.place(), take);
      ASSERT_TRUE(plainly.empty() || bound < *plainly.begin());
    }
    ASSERT_EQ(runs.empty(), plainly.empty());
    if (plainly.empty()) continue;
    const std::uint64_t one = std::next(plainly.begin(), random() % std::min<std::size_t>(plainly.size(), 99))->data;
    ASSERT_FALSE(runs.all_are([&](const Event& event) { return event.data != one; }));
    ASSERT_TRUE(runs.all_are([&](const Event& event) { return event.data < 20; }));
  }
}

}  // namespace
}  // namespace hindcast
