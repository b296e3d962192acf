#include "simulator/engine/events/event_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <vector>

namespace hindcast {
namespace {

TEST(EventOrder, PutsKindsBeforeOwnersBeforeTheirCounts) {
  EventOwner first(1);
  EventOwner second(2);
  const EventOrder wake = second.next(EventKind::wake);
  const EventOrder act = first.next(EventKind::act);
  const EventOrder later_act = first.next(EventKind::act);
  const EventOrder other_act = second.next(EventKind::act);
  const EventOrder hardware = first.next(EventKind::hardware);
  const std::vector<EventOrder> orders = {wake, act, later_act, other_act, hardware};
  EXPECT_TRUE(std::is_sorted(orders.begin(), orders.end()));
  EXPECT_TRUE(first.made(later_act));
  EXPECT_FALSE(first.made(other_act));
}

TEST(EventQueue, GivesEventsByTimeThenOrderWhateverTheOrderOfTheirComing) {
  std::mt19937 random(7);
  std::vector<Event> events;
  for (std::uint64_t i = 0; i < 3000; ++i) events.push_back({Time::ps(random() % 50), i, nullptr, i});
  std::vector<Event> expected = events;
  std::sort(expected.begin(), expected.end());
  for (int round = 0; round < 4; ++round) {
    if (round < 3)
      std::shuffle(events.begin(), events.end(), random);
    else
      std::sort(events.rbegin(), events.rend());
    EventQueue queue;
    for (const Event& event : events) queue.push(event);
    for (const Event& event : expected) ASSERT_EQ(queue.pop().data, event.data);
    EXPECT_TRUE(queue.empty());
  }
}

// What is put off, and comes back to where it was, is there once more each time.
TEST(EventQueue, TakesOneEventManyTimes) {
  EventQueue queue;
  for (std::uint64_t time = 0; time < 100; ++time)
    queue.push({Time::ps(static_cast<std::int64_t>(time)), 1, nullptr, 0});
  for (int times = 0; times < 3000; ++times) queue.push({Time::ps(50), 2, nullptr, 1});
  for (int left = 3100; left > 0; --left) {
    const bool is_one_of_many = left <= 3049 && left > 49;
    ASSERT_EQ(queue.pop().data, is_one_of_many ? 1U : 0U) << left;
  }
  EXPECT_TRUE(queue.empty());
}

class EventQueues : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(ByHowFarEventsLie, EventQueues, testing::Values(0, 40, 1000000, -1, -2, -3));

// From now on, so many picoseconds at most; or any power of two; or now one of a few and now any; or many at one time
// far away, and many before them.
std::int64_t distance_below(int most, std::mt19937& random) {
  static constexpr std::array<std::int64_t, 3> few = {300, 7, 20000};
  if (most == -3) return random() % 2 == 0 ? 1000000 + random() % 100 : random() % 100000;
  if (most == -2 && random() % 5000 != 0) return few[random() % few.size()];
  if (most < 0) return std::int64_t{1} << random() % 40;
  return most == 0 ? 0 : random() % static_cast<unsigned>(most);
}

// Few events and many, some that come before all others, and some that come twice, as what has been put off does.
TEST_P(EventQueues, GiveWhatIsEarliestOfThoseThatAreThereAndKnowWhatComesAfter) {
  std::mt19937 random(11);
  EventQueue queue;
  std::multiset<Event> plainly;
  std::int64_t now = 0;
  for (std::uint64_t step = 0; step < 50000; ++step) {
    const bool grows = step / 1000 % 2 == 0;
    if (plainly.empty() || random() % 8 < (grows ? 5U : 3U)) {
      const Event event{Time::ps(now + distance_below(GetParam(), random)), step, nullptr, step};
      for (unsigned times = random() % 8 == 0 ? 2 : 1; times > 0; --times) {
        queue.push(event);
        plainly.insert(event);
      }
    } else {
      ASSERT_EQ(queue.top().data, plainly.begin()->data);
      ASSERT_EQ(queue.pop().data, plainly.begin()->data);
      now = plainly.begin()->at.in_ps();
      plainly.erase(plainly.begin());
    }
    ASSERT_EQ(queue.empty(), plainly.empty());
    const std::size_t in_row = std::min(plainly.size(), EventQueue::row_min);
    auto expected = plainly.begin();
    for (std::size_t others = 0; others < in_row; ++others, ++expected) {
      ASSERT_LT(others, queue.row().size());
      ASSERT_EQ(queue.row()[others].data, expected->data);
    }
    ASSERT_LE(queue.row().size(), plainly.size());
    ASSERT_TRUE(queue.all_are([&](const Event& event) { return event.data <= step; }));
    if (plainly.empty()) continue;
    const std::uint64_t last = plainly.rbegin()->data;  // in the buckets, if there are many
    ASSERT_FALSE(queue.all_are([&](const Event& event) { return event.data != last; }));
  }
}

}  // namespace
}  // namespace hindcast
