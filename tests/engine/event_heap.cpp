#include "simulator/engine/event_heap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
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

TEST(EventHeap, GivesEventsByTimeThenOrderWhateverTheOrderOfTheirComing) {
  std::mt19937 random(7);
  std::vector<Event> events;
  for (std::uint64_t i = 0; i < 3000; ++i) events.push_back({Time::ps(random() % 50), i, nullptr, i});
  std::vector<Event> expected = events;
  std::sort(expected.begin(), expected.end());
  for (int round = 0; round < 3; ++round) {
    std::shuffle(events.begin(), events.end(), random);
    EventHeap heap;
    for (const Event& event : events) heap.push(event);
    for (const Event& event : expected) ASSERT_EQ(heap.pop().data, event.data);
    EXPECT_TRUE(heap.empty());
  }
}

}  // namespace
}  // namespace hindcast
