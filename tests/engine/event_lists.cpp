#include "simulator/engine/events/event_lists.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace hindcast {
namespace {

Event numbered(std::uint64_t number) { return {Time::ps(static_cast<std::int64_t>(number)), 0, nullptr, number}; }

std::vector<std::uint64_t> taken_from(EventLists& lists, EventLists::List& list) {
  std::vector<std::uint64_t> numbers;
  lists.take_all(list, [&](std::span<const Event> some) {
    for (const Event& event : some) numbers.push_back(event.data);
  });
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

TEST(EventLists, GiveWhatWasAddedWhileOthersAreAddedTo) {
  EventLists lists;
  EventLists::List from;
  EventLists::List to;
  std::vector<std::uint64_t> added;
  for (std::uint64_t number = 0; number < 5 * EventBlock::size + 1; ++number) {
    lists.add(from, numbered(number + 7));
    added.push_back(number + 7);
  }
  EXPECT_EQ(from.earliest().data, 7U);
  EXPECT_FALSE(from.is_one_block());
  EXPECT_TRUE(from.all_are([](const Event& event) { return event.data >= 7; }));
  EXPECT_FALSE(from.all_are([](const Event& event) { return event.data != 7; }));
  lists.take_all(from, [&](std::span<const Event> some) {
    for (const Event& event : some) lists.add(to, event);
  });
  EXPECT_TRUE(taken_from(lists, from).empty());
  EXPECT_EQ(taken_from(lists, to), added);
}

TEST(EventLists, KeepNothingForAListThatHasHadMany) {
  EventLists lists;
  std::set<const Event*> places;
  for (int turn = 0; turn < 100; ++turn) {
    EventLists::List list;
    for (std::uint64_t number = 0; number < 1000; ++number) lists.add(list, numbered(number));
    lists.take_all(list, [&](std::span<const Event> some) { places.insert(some.data()); });
  }
  EXPECT_LE(places.size(), 1000 / EventBlock::size + 16);
}

}  // namespace
}  // namespace hindcast
